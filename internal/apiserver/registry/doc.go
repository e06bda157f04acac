// Package registry has the storage of the built-in resources, as pkg/registry
// of kube-apiserver does.
//
//	resources.go       the table of resources, in resources_*.go; a resource
//	                   without special behaviour is one entry
//	strategy.go        the create, update and delete strategy of every entry
//	prepare.go         PrepareForCreate and PrepareForUpdate of single kinds
//	clusterip.go       the same for Services: they get a ClusterIP
//	generation.go      which changes increase metadata.generation
//	fields.go          field selectors
//	storage.go         the generic store of every entry
//	storage_wrapped.go   storage around storage: storage_detached.go for writes that do
//	                     not end with the request, storage_ready.go for full watch caches
//	lazy.go            the database connection of kinds without a watch cache
//	install.go         the API groups of the generic server
//	initial.go         the objects that exist from the beginning;
//	                   kubernetesservice.go has the Service of the server
//	subresources.go    status, finalize, ephemeralcontainers and resize; the other
//	                   subresources are in scale.go, binding.go, eviction.go,
//	                   serviceaccounttoken.go and connect.go
//	deletion.go        grace periods and dependents
//	namespaces.go      deletion of namespaces in two phases
//	webhookconfigurations.go  validation of webhook configurations
//	policies.go        validation of admission policies and bindings
//	certificates.go    approval of certificate signing requests
//	apiservices.go     APIServices, which are stored only
//	accessreviews.go   those of them about the permissions of a user
//	access.go          tokens in Secrets, and default service accounts
//	roles.go           roles and bindings that grant more than the user has
//	reviews.go         TokenReview, SubjectAccessReview and the like
//
// Types and conversions are those of package scheme, validation is in package
// validation, and the columns of kubectl in package printers.
package registry
