package registration

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// desiredForm is the end of the messages about a URL.
const desiredForm = "; desired format: https://host[/path]"

// validateClientConfig applies.
//
// Compat: R-035: the caBundle is not checked. With an invalid one every call
// fails.
func validateClientConfig(c registrationv1.WebhookClientConfig, at *field.Path) field.ErrorList {
	switch {
	case (c.URL == nil) == (c.Service == nil):
		return field.ErrorList{field.Required(at, "exactly one of url or service is required")}
	case c.URL != nil:
		return validateURL(*c.URL, at.Child("url"))
	default:
		return validateService(c.Service, at.Child("service"))
	}
}

// validateURL requires https and a host, and allows a path. The value
// in an error is the part of the URL that is wrong.
func validateURL(text string, at *field.Path) field.ErrorList {
	u, err := url.Parse(text)
	if err != nil {
		// Compat: R-033: required, as if there were no URL.
		return field.ErrorList{field.Required(at, "url must be a valid URL: "+err.Error()+desiredForm)}
	}
	var problems field.ErrorList
	if u.Scheme != "https" {
		problems = append(
			problems, field.Invalid(at, u.Scheme, "'https' is the only allowed URL scheme"+desiredForm))
	}
	if u.Host == "" {
		problems = append(problems, field.Invalid(at, "", "host must be specified"+desiredForm))
	}
	if u.User != nil {
		problems = append(
			problems, field.Invalid(at, u.User.String(), "user information is not permitted in the URL"))
	}
	if u.Fragment != "" {
		problems = append(
			problems, field.Invalid(at, u.Fragment, "fragments are not permitted in the URL"))
	}
	if u.RawQuery != "" {
		problems = append(
			problems, field.Invalid(at, u.RawQuery, "query parameters are not permitted in the URL"))
	}
	return problems
}

// validateService applies R-034.
func validateService(s *registrationv1.ServiceReference, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	// Compat: R-034: the fields in the errors are swapped.
	if s.Namespace == "" {
		problems = append(problems, field.Required(at.Child("name"), ""))
	}
	if s.Name == "" {
		problems = append(problems, field.Required(at.Child("namespace"), ""))
	}
	return slices.Concat(problems,
		validatePort(s.Port, at.Child("port")),
		validatePath(s.Path, at.Child("path")),
	)
}

// validatePort treats an absent port as 0.
func validatePort(port *int32, at *field.Path) field.ErrorList {
	var number int32
	if port != nil {
		number = *port
	}
	if messages := validation.IsValidPortNum(int(number)); len(messages) > 0 {
		return field.ErrorList{field.Invalid(at, number,
			"port is not valid: "+strings.Join(messages, ", "))}
	}
	return nil
}

// validatePath requires segments that are DNS names, with a slash before each,
// and allows a slash at the end.
func validatePath(path *string, at *field.Path) field.ErrorList {
	if path == nil || *path == "" || *path == "/" {
		return nil
	}
	if *path == "//" {
		return fields.Invalid(at, *path, []string{"segment[0] may not be empty"})
	}
	var messages []string
	if !strings.HasPrefix(*path, "/") {
		messages = append(messages, "must start with a '/'")
	}
	// Compat: R-034: the first byte is removed, even if it is no slash.
	segments := strings.Split(strings.TrimSuffix((*path)[1:], "/"), "/")
	for i, segment := range segments {
		messages = append(messages, aboutSegment(i, segment)...)
	}
	return fields.Invalid(at, *path, messages)
}

func aboutSegment(i int, segment string) []string {
	if segment == "" {
		return []string{fmt.Sprintf("segment[%d] may not be empty", i)}
	}
	messages := validation.IsDNS1123Subdomain(segment)
	for j, message := range messages {
		messages[j] = fmt.Sprintf("segment[%d]: %s", i, message)
	}
	return messages
}
