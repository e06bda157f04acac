package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/offline/requests"
)

// requestFlags are the flags about requests: operation, user and options.
type requestFlags struct {
	operation   string
	collection  bool
	subresource string
	// old are files and folders with stored objects.
	old []string
	// namespace and name are for objects without one.
	namespace, name string

	// patch is the value of --patch, patchFile that of --patch-file. Nil if
	// there is none. An empty patchType means strategic.
	patch, patchFile *string
	patchType        string
	apply, force     bool

	// user, uid, groups and extra are the user; an extra is KEY=VALUE.
	user, uid     string
	groups, extra []string

	dryRun                        dryRun
	fieldManager, fieldValidation string
	// grace is in seconds, negative for none.
	grace   int64
	cascade string

	noDefaulting bool
	// timeout is the deadline of a request; 0 for none.
	timeout time.Duration
}

// defaultManager is the default of --field-manager for --apply.
const defaultManager = "gatehouse"

func defaultRequestFlags() requestFlags {
	return requestFlags{namespace: metav1.NamespaceDefault, user: requests.DefaultUser, grace: -1}
}

func (a *requestFlags) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&a.namespace, "namespace", "n", a.namespace,
		"`namespace` of namespaced objects without one")
	f.StringVar(&a.operation, "operation", "",
		"CREATE, UPDATE, DELETE or CONNECT (default: from the other flags, or CREATE)")
	f.StringArrayVar(&a.old, "old", nil,
		"`file` or folder with the stored objects that the arguments update; repeatable")
	f.StringVar(&a.subresource, "subresource", "",
		"`[RESOURCE/]SUBRESOURCE` that the objects are sent to, such as status or deployments.apps/scale")
	f.StringVar(&a.name, "name", "",
		"`name` in the request, for bodies without one, such as PodExecOptions")
	f.BoolVar(&a.collection, "collection", false,
		"delete the objects as a collection: webhooks receive no names")
	f.FuncP("patch", "p", "update the objects with this `patch`, in JSON or YAML",
		func(text string) error { a.patch = &text; return nil })
	f.Func("patch-file", "update the objects with the patch in this `file`",
		func(path string) error { a.patchFile = &path; return nil })
	f.StringVar(&a.patchType, "patch-type", "",
		"`type` of the patch: strategic (the default), merge or json")
	f.BoolVar(&a.apply, "apply", false,
		"apply the objects with server-side apply; --old has the stored objects")
	f.BoolVar(&a.force, "force-conflicts", false, "with --apply: force conflicts, and take over fields of other managers")
	f.StringVar(&a.fieldManager, "field-manager", "", "`name` of the field manager")
	f.StringVar(&a.fieldValidation, "field-validation", "",
		"Ignore, Warn (the default) or Strict: what to do about unknown fields of custom resources")
	f.Int64Var(&a.grace, "grace-period", a.grace,
		"grace period of deleted objects in `seconds`; negative: not set")
	f.StringVar(&a.cascade, "cascade", "",
		"deletion of dependents of deleted objects: background, orphan or foreground (default: not set)")
	a.dryRun.addFlag(f)
	f.BoolVar(&a.noDefaulting, "no-defaulting", false,
		"do not set the defaults of kube-apiserver and of schemas in objects")
	f.DurationVar(&a.timeout, "request-timeout", 0,
		"`time` after which a request fails, such as 34s in kube-apiserver; 0: no limit")
	f.StringVar(&a.user, "as", a.user,
		"`user` who sends the requests; system:serviceaccount:NAMESPACE:NAME for a service account")
	f.StringArrayVar(&a.groups, "as-group", nil,
		"`group` of the user, besides system:authenticated; repeatable")
	f.StringVar(&a.uid, "as-uid", "", "`uid` of the user")
	f.StringArrayVar(&a.extra, "as-user-extra", nil,
		"extra attribute of the user: `KEY=VALUE`; repeatable, also for one key")
}

// parse returns the settings without a patch from a file. It opens no file.
func (a *requestFlags) parse() (requests.Settings, error) {
	if err := a.check(); err != nil {
		return requests.Settings{}, err
	}
	s, err := a.settings()
	if err != nil {
		return s, err
	}
	return s, s.Check(len(a.old) > 0)
}

// check returns the mistakes that settings cannot hold.
func (a *requestFlags) check() error {
	if problems := validation.ValidateNamespaceName(a.namespace, false); len(problems) > 0 {
		return fmt.Errorf("--namespace %q: %s", a.namespace, problems[0])
	}
	if a.user == "" {
		return errors.New(`--as "": a request needs a user`)
	}
	patched := a.patch != nil || a.patchFile != nil
	switch {
	case a.patch != nil && a.patchFile != nil:
		return errors.New("--patch and --patch-file cannot be combined")
	case a.timeout < 0:
		return fmt.Errorf("--request-timeout %s: want 0 or more", a.timeout)
	case a.patchType != "" && !patched:
		return errors.New("--patch-type needs --patch or --patch-file")
	}
	return nil
}

// forObjects returns the set flags that have no effect on request files.
func (a *requestFlags) forObjects() []string {
	var given []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--operation", a.operation != ""}, {"--collection", a.collection}, {"--subresource", a.subresource != ""}, {"--name", a.name != ""},
		{"--patch", a.patch != nil}, {"--patch-file", a.patchFile != nil}, {"--apply", a.apply}, {"--old", len(a.old) > 0},
		{"--field-manager", a.fieldManager != ""}, {"--field-validation", a.fieldValidation != ""},
		{"--grace-period", a.grace >= 0}, {"--cascade", a.cascade != ""},
	} {
		if f.set {
			given = append(given, f.name)
		}
	}
	return given
}
