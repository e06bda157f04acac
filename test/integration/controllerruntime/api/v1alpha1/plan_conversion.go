package v1alpha1

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/conversion"

	backupsv1 "example.com/backups/api/v1"
)

// restAnnotation has what v1 knows and this version does not, so that nothing
// is lost when clients read and write plans in this version.
const restAnnotation = "backups.example.com/v1"

// rest is what is in the annotation.
type rest struct {
	Protected bool                 `json:"protected,omitempty"`
	Status    backupsv1.PlanStatus `json:"status,omitzero"`
}

var _ conversion.Convertible = (*Plan)(nil)

// ConvertTo writes the plan to hub, which is a plan in v1.
func (p *Plan) ConvertTo(hub conversion.Hub) error {
	to := hub.(*backupsv1.Plan)
	p.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	var more rest
	if text, ok := p.Annotations[restAnnotation]; ok {
		if err := json.Unmarshal([]byte(text), &more); err != nil {
			return fmt.Errorf("the annotation %s of plan %q: %w", restAnnotation, p.Name, err)
		}
		delete(to.Annotations, restAnnotation)
	}
	to.Spec = backupsv1.PlanSpec{
		Claim:     p.Spec.Claim,
		Schedule:  p.Spec.Cron,
		Retention: backupsv1.Retention{Copies: p.Spec.Keep},
		Suspend:   p.Spec.Suspend,
		Protected: more.Protected,
	}
	to.Status = more.Status
	to.Status.CronJob = p.Status.CronJob
	return nil
}

// ConvertFrom reads the plan from hub, which is a plan in v1.
func (p *Plan) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*backupsv1.Plan)
	from.ObjectMeta.DeepCopyInto(&p.ObjectMeta)
	p.Spec = PlanSpec{
		Claim:   from.Spec.Claim,
		Cron:    from.Spec.Schedule,
		Keep:    from.Spec.Retention.Copies,
		Suspend: from.Spec.Suspend,
	}
	p.Status = PlanStatus{CronJob: from.Status.CronJob}
	text, err := json.Marshal(rest{Protected: from.Spec.Protected, Status: from.Status})
	if err != nil {
		return fmt.Errorf("keeping what only v1 knows of plan %q: %w", p.Name, err)
	}
	if string(text) == "{}" {
		return nil
	}
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Annotations[restAnnotation] = string(text)
	return nil
}
