package run

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// checkOrders returns a flag that --policy-orders cannot have beside it.
func (p *printing) checkOrders(cmd *cobra.Command) error {
	for _, other := range []string{"only", "verbose", "report", "parallel", "record", "redact"} {
		if cmd.Flags().Changed(other) {
			return fmt.Errorf("--policy-orders and --%s cannot be combined", other)
		}
	}
	if p.format != flags.Table {
		return errors.New("--policy-orders prints text only: leave out -o " + p.format)
	}
	return nil
}

// runOrders admits the objects in other orders of their mutating policies, and
// prints what that makes of them. The webhooks allow everything.
func (p *printing) runOrders(cmd *cobra.Command, o *session.Options, objects []string) error {
	o.Client = session.AllowAll(func(*admission.Webhook, []byte) {})
	o.Objects, o.Stdin, o.Stderr = objects, cmd.InOrStdin(), cmd.ErrOrStderr()
	s, err := session.Prepare(o)
	if err != nil {
		return err
	}
	defer s.Close()
	depends := false
	err = s.Admit(cmd.Context(), func(v *session.Result) error {
		orders, err := s.PolicyOrders(cmd.Context(), v)
		if err != nil {
			return err
		}
		depends = depends || len(orders.Outcomes) > 1
		return command.Write(cmd.OutOrStdout(), ordersText(v, orders))
	})
	if err != nil {
		return err
	}
	s.PrintRemarks()
	if depends {
		return message.ErrDenied
	}
	return nil
}

// ordersText is for example:
//
//	CREATE deployments.apps/web in shop: mutating policies cap, double: 2 orders, 2 results
//	  cap, double (1 order)
//	  double, cap (1 order)
//	    ~ spec.replicas: 6 → 3
//	  the order of cap and double matters
func ordersText(v *session.Result, o *session.PolicyOrders) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s %s: ", v.Request.Operation, message.Escaped(v.Reference()))
	switch {
	case len(o.Policies) == 0:
		fmt.Fprintln(&out, "no mutating policy is evaluated")
		return out.Bytes()
	case len(o.Policies) == 1:
		fmt.Fprintf(&out, "mutating policy %s: 1 order\n", o.Policies[0])
		return out.Bytes()
	}
	fmt.Fprintf(&out, "mutating policies %s: %d%s orders, %s\n", strings.Join(o.Policies, ", "), o.Tried,
		map[bool]string{false: " of many"}[o.All], message.Count(len(o.Outcomes), "result"))
	if len(o.Outcomes) > 1 {
		for i := range o.Outcomes {
			writeOutcome(&out, v.Request.Kind == corev1.SchemeGroupVersion.WithKind("Secret"), &o.Outcomes[i])
		}
		for _, pair := range o.Pairs {
			fmt.Fprintf(&out, "  the order of %s and %s matters\n", pair[0], pair[1])
		}
	}
	return out.Bytes()
}

// writeOutcome writes an outcome. The values of a Secret are not shown.
func writeOutcome(out *bytes.Buffer, secret bool, o *session.OrderOutcome) {
	fmt.Fprintf(out, "  %s (%s)\n", strings.Join(o.Order, ", "), message.Count(o.Orders, "order"))
	if o.Status != nil {
		fmt.Fprintf(out, "    denied: %s\n", message.Shown(o.Status.Message, "      "))
	}
	for i := range o.Changes {
		if secret {
			fmt.Fprintf(out, "    %s differs\n", message.Escaped(o.Changes[i].Path))
		} else {
			fmt.Fprintf(out, "    %s\n", &o.Changes[i])
		}
	}
}
