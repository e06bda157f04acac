package suitefile

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// readWebhooks reads the endpoints of webhooks and resolves their paths.
func (r *reader) readWebhooks() {
	at, first := r.at("webhooks"), map[string]fieldPath{}
	for i := range r.file.Webhooks {
		w, at := r.file.Webhooks[i], at.item(i)
		if earlier, taken := first[w.Name]; taken && w.Name == "" {
			at.check(fmt.Errorf("name: required: only one entry may have no name, and %s has none", earlier.path))
		} else {
			at.unique(w.Name, first)
		}
		if w.Name != "" {
			at.at("name").check(checkReference(w.Name))
		}
		r.readWebhook(at, &w)
		r.suite.Webhooks = append(r.suite.Webhooks, w)
	}
}

// checkReference rejects an invalid NAME or CONFIGURATION/NAME.
func checkReference(name string) error {
	configuration, webhook, both := strings.Cut(name, "/")
	switch {
	case name == "":
		return errors.New("required")
	case both && (configuration == "" || webhook == "" || strings.Contains(webhook, "/")):
		return fmt.Errorf("%q: must be NAME or CONFIGURATION/NAME", name)
	default:
		return nil
	}
}

func (r *reader) readWebhook(at fieldPath, w *Webhook) {
	switch {
	case w.Address == "" && w.Exec == nil:
		at.wrong("required: address or exec")
	case w.Address != "" && w.Exec != nil:
		at.at("exec").wrong("cannot be combined with address")
	case w.Address != "":
		at.at("address").check(checkAddress(w.Address))
	}
	if w.CAFile != "" {
		w.CAFile = r.resolve(w.CAFile)
		if w.Address == "" {
			at.at("caFile").wrong("needs address: for exec, gatehouse creates a CA")
		}
	}
	if w.Exec != nil {
		exec := *w.Exec
		r.readExec(at.at("exec"), &exec)
		w.Exec = &exec
	}
}

func checkAddress(address string) error {
	host, text, err := net.SplitHostPort(address)
	port, portErr := strconv.ParseUint(text, 10, 16)
	switch {
	case strings.Contains(address, "://"):
		return fmt.Errorf("%q: must be HOST:PORT, without a scheme", address)
	case err != nil || portErr != nil || host == "" || port == 0:
		return fmt.Errorf("%q: must be HOST:PORT, such as localhost:8443", address)
	default:
		return nil
	}
}

func (r *reader) readExec(at fieldPath, e *Exec) {
	e.WorkingDir = r.resolve(e.WorkingDir)
	info, err := stat(e.WorkingDir)
	switch {
	case err != nil:
		at.at("workingDir").check(err)
	case !info.IsDir():
		at.at("workingDir").wrong("%s: is not a folder", e.WorkingDir)
	}
	if len(e.Command) == 0 || e.Command[0] == "" {
		at.at("command").wrong("required: a program and its arguments")
	}
	checkEnv(at.at("env"), e.Env)
	if e.Port < 0 || e.Port > 65535 {
		at.at("port").wrong("%d: must be from 1 to 65535", e.Port)
	}
	checkReadiness(at.at("readiness"), &e.Readiness)
	checkSeconds(at.at("startSeconds"), e.StartSeconds, 600)
	checkSeconds(at.at("stopSeconds"), e.StopSeconds, 60)
}

func checkEnv(at fieldPath, env []EnvVar) {
	first := map[string]fieldPath{}
	for i, v := range env {
		at := at.item(i)
		switch {
		case !at.unique(v.Name, first):
		case v.Name == "":
			at.at("name").wrong("required")
		default:
			at.at("name").check(invalid(v.Name, validation.IsRelaxedEnvVarName(v.Name)))
		}
	}
}

func checkReadiness(at fieldPath, r *Readiness) {
	switch {
	case r.Path != "" && r.Log != "":
		at.wrong("path and log cannot be combined")
	case r.Path != "" && !strings.HasPrefix(r.Path, "/"):
		at.at("path").wrong("%q: must begin with a slash", r.Path)
	}
	if _, err := regexp.Compile(r.Log); err != nil {
		at.at("log").wrong("%q is not a regular expression: %w", r.Log, err)
	}
}

// checkSeconds rejects a time out of range. 0 means unset.
func checkSeconds(at fieldPath, seconds, most int32) {
	if seconds < 0 || seconds > most {
		at.wrong("%d: must be from 1 to %d", seconds, most)
	}
}
