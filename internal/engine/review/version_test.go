package review

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// versionCase is a list of versions and the one to send.
type versionCase struct {
	row
	versions []string
	want     Version
	err      string
}

func TestSelect(t *testing.T) {
	t.Parallel()
	const none = "webhook does not accept known AdmissionReview versions (v1, v1beta1)"
	testtable.Run(t, []versionCase{
		{row{"v1", "the plain case"}, []string{"v1"}, V1, ""},
		{row{"v1beta1", "S-210: still known"}, []string{"v1beta1"}, V1beta1, ""},
		{row{"v1 first", "S-210: the webhook's order counts"}, []string{"v1", "v1beta1"}, V1, ""},
		{row{"v1beta1 first", "S-210: not the newest version, the first"}, []string{"v1beta1", "v1"}, V1beta1, ""},
		{row{"unknown first", "S-210: unknown ones are passed over"}, []string{"v2", "V1", "", "v1beta1"}, V1beta1, ""},
		{row{"only unknown", "S-210: no version in common"}, []string{"v2", "admission.k8s.io/v1"}, "", none},
		{row{"none", "S-210: no version at all"}, nil, "", none},
	}, func(t *testing.T, tc versionCase) {
		got, err := Select(tc.versions)
		if got != tc.want || testtable.Text(err) != tc.err {
			t.Errorf("Select = %q, %q, want %q, %q", got, testtable.Text(err), tc.want, tc.err)
		}
	})
}
