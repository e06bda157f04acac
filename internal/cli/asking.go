package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/merge"
	"example.com/gatehouse/internal/requests"
)

// asking is what the command line says about requests: what is asked of the
// objects, by whom and how.
type asking struct {
	operation   string
	collection  bool
	subresource string
	// old are files and folders with stored objects.
	old []string
	// namespace and name are for objects that name none.
	namespace, name string

	// patch is written on the command line, patchFile names a file with one. Both
	// are empty if there is none.
	patch, patchFile, patchType string
	apply, force                bool

	// user, uid, groups and extra say who asks; an extra is KEY=VALUE.
	user, uid     string
	groups, extra []string

	dryRun                        bool
	fieldManager, fieldValidation string
	// grace is in seconds, negative for none.
	grace   int64
	cascade string

	noDefaulting bool
}

// defaultManager owns what is applied without --field-manager.
const defaultManager = "gatehouse"

func defaultAsking() asking {
	return asking{namespace: metav1.NamespaceDefault, patchType: "strategic", user: defaultUser, grace: -1}
}

func (a *asking) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&a.namespace, "namespace", "n", a.namespace, "`namespace` of namespaced objects that name none")
	f.StringVar(&a.operation, "operation", "", "CREATE, UPDATE, DELETE or CONNECT (default: what the other flags suggest, or CREATE)")
	f.StringArrayVar(&a.old, "old", nil, "`file` or folder with the stored objects that the arguments update; repeatable")
	f.StringVar(&a.subresource, "subresource", "", "`[RESOURCE/]SUBRESOURCE` that the objects are sent to, such as status or deployments.apps/scale")
	f.StringVar(&a.name, "name", "", "`name` in the request, for bodies without one, such as PodExecOptions")
	f.BoolVar(&a.collection, "collection", false, "delete the objects as a collection: webhooks see no names")
	f.StringVarP(&a.patch, "patch", "p", "", "update the objects with this `patch`, in JSON or YAML")
	f.StringVar(&a.patchFile, "patch-file", "", "update the objects with the patch in this `file`")
	f.StringVar(&a.patchType, "patch-type", a.patchType, "`type` of the patch: strategic, merge or json")
	f.BoolVar(&a.apply, "apply", false, "server-side apply: the objects hold the fields to own, --old what is stored")
	f.BoolVar(&a.force, "force-conflicts", false, "with --apply: take fields that others own")
	f.StringVar(&a.fieldManager, "field-manager", "", "`name` of who owns the fields that are written")
	f.StringVar(&a.fieldValidation, "field-validation", "", "Ignore, Warn or Strict, for the options that webhooks see")
	f.Int64Var(&a.grace, "grace-period", a.grace, "`seconds` that deleted objects have to end; negative: not said")
	f.StringVar(&a.cascade, "cascade", "", "what becomes of dependents of deleted objects: background, orphan or foreground (default: not said)")
	f.BoolVar(&a.dryRun, "dry-run", false, "tell webhooks that nothing will be stored")
	f.BoolVar(&a.noDefaulting, "no-defaulting", false, "leave built-in objects as they are written, without the defaults of kube-apiserver")
	f.StringVar(&a.user, "as", a.user, "`user` who asks; system:serviceaccount:NAMESPACE:NAME for a service account")
	f.StringArrayVar(&a.groups, "as-group", nil, "`group` of the user, besides system:authenticated; repeatable")
	f.StringVar(&a.uid, "as-uid", "", "`uid` of the user")
	f.StringArrayVar(&a.extra, "as-user-extra", nil, "what else is known of the user: `KEY=VALUE`; repeatable, also for one key")
}

// check finds the mistakes that can be seen without opening a file.
func (a *asking) check() error {
	if problems := validation.ValidateNamespaceName(a.namespace, false); len(problems) > 0 {
		return fmt.Errorf("--namespace %q: %s", a.namespace, problems[0])
	}
	if a.user == "" {
		return errors.New(`--as "": a request needs a user`)
	}
	if a.patch != "" && a.patchFile != "" {
		return errors.New("--patch and --patch-file: give one of them")
	}
	s, err := a.settings()
	if err != nil {
		return err
	}
	return s.Check(len(a.old) > 0)
}

// settings returns everything but the content of a patch file.
func (a *asking) settings() (requests.Settings, error) {
	s := requests.Settings{
		Operation: admissionv1.Operation(a.operation), Collection: a.collection, Subresource: a.subresource,
		Namespace: a.namespace, Name: a.name, Apply: a.apply, Force: a.force,
	}
	var err error
	if s.By, err = a.by(); err != nil {
		return s, err
	}
	if a.patch == "" && a.patchFile == "" {
		return s, nil
	}
	s.Patch = &requests.Patch{}
	if s.Patch.Type, err = merge.ParseType(a.patchType); err != nil {
		return s, fmt.Errorf("--patch-type: %w", err)
	}
	if s.Patch.JSON, err = yaml.YAMLToJSONStrict([]byte(a.patch)); err != nil {
		return s, fmt.Errorf("--patch: %w", err)
	}
	return s, nil
}

// by returns who asks, and how.
func (a *asking) by() (request.By, error) {
	user := userFor(a.user, a.uid, a.groups)
	for _, e := range a.extra {
		key, value, ok := strings.Cut(e, "=")
		if !ok || key == "" {
			return request.By{}, fmt.Errorf("--as-user-extra %q: want KEY=VALUE", e)
		}
		if user.Extra == nil {
			user.Extra = map[string]authenticationv1.ExtraValue{}
		}
		user.Extra[key] = append(user.Extra[key], value)
	}
	by := request.By{User: *user, DryRun: a.dryRun, FieldManager: a.fieldManager, FieldValidation: a.fieldValidation}
	if a.apply && by.FieldManager == "" {
		by.FieldManager = defaultManager
	}
	if a.grace >= 0 {
		by.GracePeriodSeconds = &a.grace
	}
	var err error
	by.PropagationPolicy, err = a.propagation()
	return by, err
}

// propagation returns what --cascade says, in the API's words.
func (a *asking) propagation() (*metav1.DeletionPropagation, error) {
	switch a.cascade {
	case "":
		return nil, nil
	case "background":
		return new(metav1.DeletePropagationBackground), nil
	case "orphan":
		return new(metav1.DeletePropagationOrphan), nil
	case "foreground":
		return new(metav1.DeletePropagationForeground), nil
	}
	return nil, fmt.Errorf("--cascade %q: want background, orphan or foreground", a.cascade)
}

// readSettings is settings with the patch of a file.
func (a *asking) readSettings() (requests.Settings, error) {
	s, err := a.settings()
	if err != nil || a.patchFile == "" {
		return s, err
	}
	text, err := readFile(a.patchFile)
	if err != nil {
		return s, fmt.Errorf("--patch-file: %w", err)
	}
	if s.Patch.JSON, err = yaml.YAMLToJSONStrict(text); err != nil {
		return s, fmt.Errorf("--patch-file: %s: %w", a.patchFile, err)
	}
	return s, nil
}
