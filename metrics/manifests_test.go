package metrics_test

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/metrics"
)

func newManifests(t *testing.T, reg prometheus.Registerer, phase admission.Phase, serverID string) *metrics.Manifests {
	t.Helper()
	m, err := metrics.NewManifests(reg, phase, serverID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// times are the values of timestamps, which differ from run to run.
var times = regexp.MustCompile(`(?m)^(apiserver_manifest_\S+_timestamp_seconds\{.*\}) [0-9.e+]+$`)

// manifestsRow is a sequence of events of folders and the resulting series,
// without the prefix of their names. ID stands for the hash of the identity
// "s".
type manifestsRow struct {
	row
	do   func(t *testing.T, reg prometheus.Registerer)
	want []string
}

// TestManifests pins the series; help texts are compared with upstream's
// elsewhere (S-054).
func TestManifests(t *testing.T) {
	t.Parallel()
	rows := []manifestsRow{{
		row: row{"nothing", "a folder that cannot be opened leaves no trace"},
		do:  func(t *testing.T, reg prometheus.Registerer) { newManifests(t, reg, admission.Mutating, "s") },
	}, {
		row: row{"loaded", "S-054: the configuration is shown by its hash"},
		do: func(t *testing.T, reg prometheus.Registerer) {
			newManifests(t, reg, admission.Mutating, "s").Reloaded("h")
		},
		want: []string{
			`automatic_reload_last_timestamp_seconds{apiserver_id_hash="ID",plugin="MutatingAdmissionWebhook",status="success"} T`,
			`automatic_reloads_total{apiserver_id_hash="ID",plugin="MutatingAdmissionWebhook",status="success"} 1`,
			`last_config_info{apiserver_id_hash="ID",hash="h",plugin="MutatingAdmissionWebhook"} 1`,
		},
	}, {
		row: row{"server without an identity", "S-054: no hash of nothing, and no configuration"},
		do: func(t *testing.T, reg prometheus.Registerer) {
			newManifests(t, reg, admission.Validating, "").Reloaded("h")
		},
		want: []string{
			`automatic_reload_last_timestamp_seconds{apiserver_id_hash="",plugin="ValidatingAdmissionWebhook",status="success"} T`,
			`automatic_reloads_total{apiserver_id_hash="",plugin="ValidatingAdmissionWebhook",status="success"} 1`,
		},
	}, {
		row: row{"failed and repaired", "S-054: a failure changes nothing about what is in force; one configuration is shown, the last"},
		do: func(t *testing.T, reg prometheus.Registerer) {
			m := newManifests(t, reg, admission.Validating, "s")
			m.Reloaded("h")
			m.ReloadFailed()
			m.ReloadFailed()
			m.Reloaded("g")
		},
		want: []string{
			`automatic_reload_last_timestamp_seconds{apiserver_id_hash="ID",plugin="ValidatingAdmissionWebhook",status="failure"} T`,
			`automatic_reload_last_timestamp_seconds{apiserver_id_hash="ID",plugin="ValidatingAdmissionWebhook",status="success"} T`,
			`automatic_reloads_total{apiserver_id_hash="ID",plugin="ValidatingAdmissionWebhook",status="failure"} 2`,
			`automatic_reloads_total{apiserver_id_hash="ID",plugin="ValidatingAdmissionWebhook",status="success"} 2`,
			`last_config_info{apiserver_id_hash="ID",hash="g",plugin="ValidatingAdmissionWebhook"} 1`,
		},
	}, {
		row: row{"both phases", "the folders of a process share the families"},
		do: func(t *testing.T, reg prometheus.Registerer) {
			newManifests(t, reg, admission.Validating, "s").Reloaded("v")
			newManifests(t, reg, admission.Mutating, "s").Reloaded("m")
		},
		want: []string{
			`automatic_reload_last_timestamp_seconds{apiserver_id_hash="ID",plugin="MutatingAdmissionWebhook",status="success"} T`,
			`automatic_reload_last_timestamp_seconds{apiserver_id_hash="ID",plugin="ValidatingAdmissionWebhook",status="success"} T`,
			`automatic_reloads_total{apiserver_id_hash="ID",plugin="MutatingAdmissionWebhook",status="success"} 1`,
			`automatic_reloads_total{apiserver_id_hash="ID",plugin="ValidatingAdmissionWebhook",status="success"} 1`,
			`last_config_info{apiserver_id_hash="ID",hash="m",plugin="MutatingAdmissionWebhook"} 1`,
			`last_config_info{apiserver_id_hash="ID",hash="v",plugin="ValidatingAdmissionWebhook"} 1`,
		},
	}}
	identity := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("s")))
	testtable.Run(t, rows, func(t *testing.T, tc manifestsRow) {
		reg := prometheus.NewPedanticRegistry()
		tc.do(t, reg)
		var got []string
		for line := range strings.Lines(times.ReplaceAllString(exposition(t, reg), "$1 T")) {
			line = strings.ReplaceAll(strings.TrimSpace(line), identity, "ID")
			if series, ok := strings.CutPrefix(line, "apiserver_manifest_admission_config_controller_"); ok {
				got = append(got, series)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("series (-want +got):\n%s", diff)
		}
	})
}

// TestReloadTime: the timestamp is that of now, in seconds.
func TestReloadTime(t *testing.T) {
	t.Parallel()
	reg := prometheus.NewPedanticRegistry()
	before := float64(time.Now().Unix())
	newManifests(t, reg, admission.Mutating, "s").ReloadFailed()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if strings.HasSuffix(f.GetName(), "_timestamp_seconds") {
			got := f.GetMetric()[0].GetGauge().GetValue()
			if after := float64(time.Now().Unix() + 1); got < before || got > after {
				t.Errorf("time %v, want one between %v and %v", got, before, after)
			}
			return
		}
	}
	t.Error("there is no time")
}

func TestNewManifestsRefuses(t *testing.T) {
	t.Parallel()
	if m, err := metrics.NewManifests(nil, admission.Mutating, ""); m != nil || err == nil {
		t.Errorf("without a registerer: %v, %v", m, err)
	}
	const name = "apiserver_manifest_admission_config_controller_last_config_info"
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: "another"}))
	m, err := metrics.NewManifests(reg, admission.Mutating, "")
	if m != nil || err == nil || !strings.Contains(err.Error(), "registering "+name) {
		t.Errorf("with a foreign metric: %v, %v", m, err)
	}
}
