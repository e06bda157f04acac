package serve_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/testenv"
)

// modern are the versions of kubectl that print what the scripts expect.
var modern = regexp.MustCompile(`"gitVersion": "v1\.(3[2-9]|[4-9])`)

// TestHabits runs the scripts in testdata/habits: what users of kubectl do every
// day, one habit each. A script whose command needs a kubelet or a controller
// expects a clear answer. All share one server; each has its own namespace, with
// the script's name, and the objects of testdata/web.yaml in web.yaml. Scripts that only
// need objects create them without validation: kubectl apply reads OpenAPI documents for
// 0.4 s of processor time. The scripts share $HOME, where kubectl caches discovery.
func TestHabits(t *testing.T) {
	t.Parallel()
	version, err := exec.CommandContext(t.Context(), "kubectl", "version", "--client", "-o", "json").Output()
	if err != nil || !modern.Match(version) {
		testenv.Optional(t, errors.New("the kubectl in the PATH is missing, or older than v1.32"))
	}
	s := process.Start(t, binary, "--quiet")
	client, err := kubernetes.NewForConfig(unlimited(s.Config(t)))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/habits",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			// testscript names the folder of a script after the script.
			name := regexp.MustCompile(`script-(.*)$`).FindStringSubmatch(filepath.Base(env.WorkDir))[1]
			namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
			_, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
			objects, readErr := os.ReadFile("testdata/web.yaml")
			enterErr := enter(env, s)
			env.Setenv("HOME", home)
			return errors.Join(err, readErr, enterErr, enterNamespace(env, name),
				os.WriteFile(filepath.Join(env.WorkDir, "web.yaml"), objects, 0o600))
		},
	})
}

// unlimited returns a configuration without the rate limit of client-go.
func unlimited(config *rest.Config) *rest.Config {
	config.QPS = -1
	return config
}

// enterNamespace makes a namespace the one of a script's kubeconfig.
func enterNamespace(env *testscript.Env, name string) error {
	path := env.Getenv("KUBECONFIG")
	config, err := clientcmd.LoadFromFile(path)
	if err != nil {
		return err
	}
	for _, c := range config.Contexts {
		c.Namespace = name
	}
	return clientcmd.WriteToFile(*config, path)
}
