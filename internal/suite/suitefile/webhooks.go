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

// readWebhooks takes the places of webhooks, with paths that can be opened.
func (r *reader) readWebhooks() {
	at, first := r.at("webhooks"), map[string]place{}
	for i := range r.file.Webhooks {
		w, at := r.file.Webhooks[i], at.item(i)
		if earlier, taken := first[w.Name]; taken {
			at.check(twice(w.Name, earlier))
		} else {
			first[w.Name] = at
		}
		if w.Name != "" {
			at.at("name").check(checkReference(w.Name))
		}
		r.readWebhook(at, &w)
		r.suite.Webhooks = append(r.suite.Webhooks, w)
	}
}

func twice(name string, earlier place) error {
	if name == "" {
		return fmt.Errorf("name: required: %s has none, and is for all webhooks that no other entry names", earlier.path)
	}
	return fmt.Errorf("name: %q: is the name of %s already", name, earlier.path)
}

// checkReference reports what cannot be the name of a webhook, with its configuration's
// or without.
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

func (r *reader) readWebhook(at place, w *Webhook) {
	switch {
	case w.Address == "" && w.Exec == nil:
		at.wrong("required: address or exec")
	case w.Address != "" && w.Exec != nil:
		at.at("exec").wrong("there is an address as well: the webhook is either there or started")
	case w.Address != "":
		at.at("address").check(checkAddress(w.Address))
	}
	if w.CAFile != "" {
		w.CAFile = r.resolve(w.CAFile)
		if w.Address == "" {
			at.at("caFile").wrong("only with an address: for a command an authority is made")
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

func (r *reader) readExec(at place, e *Exec) {
	e.WorkingDir = r.resolve(e.WorkingDir)
	info, err := look(e.WorkingDir)
	switch {
	case err != nil:
		at.at("workingDir").check(err)
	case !info.IsDir():
		at.at("workingDir").wrong("%s: is no folder", e.WorkingDir)
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

func checkEnv(at place, env []EnvVar) {
	first := map[string]place{}
	for i, v := range env {
		at := at.item(i)
		name := at.at("name")
		if earlier, taken := first[v.Name]; taken {
			name.wrong("%q: is the name of %s already", v.Name, earlier.path)
			continue
		}
		first[v.Name] = at
		if v.Name == "" {
			name.wrong("required")
			continue
		}
		name.check(invalid(v.Name, validation.IsRelaxedEnvVarName(v.Name)))
	}
}

func checkReadiness(at place, r *Readiness) {
	switch {
	case r.Path != "" && r.Log != "":
		at.wrong("either path or log: one sign is enough")
	case r.Path != "" && !strings.HasPrefix(r.Path, "/"):
		at.at("path").wrong("%q: must begin with a slash", r.Path)
	}
	if _, err := regexp.Compile(r.Log); err != nil {
		at.at("log").wrong("%q is no regular expression: %w", r.Log, err)
	}
}

// checkSeconds sees to the bounds of a time. If it is 0 it was not said.
func checkSeconds(at place, seconds, most int32) {
	if seconds < 0 || seconds > most {
		at.wrong("%d: must be from 1 to %d", seconds, most)
	}
}
