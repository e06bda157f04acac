package doctor

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/doctor"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/offline/reach"
)

// atOnce is how many webhooks are called at a time.
const atOnce = 8

// dialer connects to webhooks.
type dialer struct {
	cluster *lint.Cluster
	access  reach.Access
	client  *client.Client
}

// dial adds to the diagnoses what connections to the webhooks say. It reports whether all
// webhooks were reached that have a connection at all.
func dial(
	ctx context.Context, c *lint.Cluster, access reach.Access, all []doctor.Diagnosis,
) (reached bool, err error) {
	calls, err := client.New(client.Config{Dial: access.Dialer.Dial, Proxy: access.Dialer.Proxy})
	if err != nil {
		return false, err
	}
	defer calls.Close()
	d := &dialer{c, access, calls}
	barred := make([]bool, len(all))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i := range all {
		group.Go(func() error {
			checks, notReached, err := d.checks(within, all[i].Webhook)
			all[i].Checks = append(all[i].Checks, checks...)
			barred[i] = notReached
			return err
		})
	}
	err = group.Wait()
	reached = true
	for _, b := range barred {
		reached = reached && !b
	}
	return reached, err
}

// checks connects to a webhook, and calls it if the connection is right.
func (d *dialer) checks(
	ctx context.Context, w *inventory.Webhook,
) (checks []doctor.Check, notReached bool, err error) {
	connection, err := d.connection(ctx, w)
	if notReached = d.access.Dialer.NotReached(err); err != nil {
		return []doctor.Check{connection}, notReached, ctx.Err()
	}
	review, err := d.review(ctx, w)
	return []doctor.Check{connection, review}, false, err
}

// failed returns the check of a call that failed. It is not known what a webhook would say
// to which the command may not connect.
func (d *dialer) failed(name string, call *admission.Call) doctor.Check {
	c := doctor.Check{
		Name: name, Status: doctor.Problem, Message: call.Err.Error(), Remedy: d.access.Hint(call),
	}
	if d.access.NotReached(call) {
		c.Status = doctor.Unknown
	}
	return c
}
