package auth

import "example.com/gatehouse/internal/certs"

// IssueClient returns a client certificate for a user with this name in these
// groups. Authenticator accepts it.
func (i Identity) IssueClient(name string, groups ...string) (KeyPair, error) {
	return issueClient(i.authority, name, groups...)
}

func issueClient(authority *certs.Authority, name string, groups ...string) (KeyPair, error) {
	issued, err := authority.Issue(certs.Leaf{CommonName: name, Organization: groups, Client: true})
	if err != nil {
		return KeyPair{}, err
	}
	return encodePEM(issued)
}
