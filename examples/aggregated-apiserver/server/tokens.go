package server

import (
	"cmp"
	"fmt"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// apply applies the recommended options. With a file of tokens it replaces
// authentication by the tokens and allows everything.
func (o *Options) apply(config *genericapiserver.RecommendedConfig) error {
	if o.TokenFile == "" {
		o.delegateToHost()
		return o.Recommended.ApplyTo(config)
	}
	known, err := tokens(o.TokenFile)
	if err != nil {
		return err
	}
	o.Recommended.Authentication, o.Recommended.Authorization = nil, nil
	if err := o.Recommended.ApplyTo(config); err != nil {
		return err
	}
	config.Authentication.Authenticator = known
	return nil
}

// delegateToHost makes the host authenticate and authorize users, unless the
// options name other servers.
func (o *Options) delegateToHost() {
	host := o.Recommended.CoreAPI.CoreAPIKubeconfigPath
	authentication, authorization := o.Recommended.Authentication, o.Recommended.Authorization
	authentication.RemoteKubeConfigFile = cmp.Or(authentication.RemoteKubeConfigFile, host)
	authorization.RemoteKubeConfigFile = cmp.Or(authorization.RemoteKubeConfigFile, host)
}

// tokens authenticates the users in a file of tokens.
func tokens(file string) (authenticator.Request, error) {
	known, err := tokenfile.NewCSV(file)
	if err != nil {
		return nil, fmt.Errorf("reading the tokens of clients: %w", err)
	}
	return group.NewAuthenticatedGroupAdder(bearertoken.New(known)), nil
}
