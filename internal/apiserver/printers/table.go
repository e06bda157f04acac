package printers

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metatable "k8s.io/apimachinery/pkg/api/meta/table"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Convertors returns a function that returns the table convertor of a resource.
func Convertors() func(schema.GroupResource) rest.TableConvertor {
	tables := map[string]table{}
	maps.Copy(tables, coreTables())
	maps.Copy(tables, workloadTables())
	maps.Copy(tables, otherTables())
	maps.Copy(tables, clusterTables())
	maps.Copy(tables, storageTables())
	maps.Copy(tables, registrationTables())
	return func(resource schema.GroupResource) rest.TableConvertor {
		if t, ok := tables[resource.String()]; ok {
			return t
		}
		return rest.NewDefaultTableConvertor(resource)
	}
}

// table makes tables of the objects of one kind.
type table struct {
	columns []metav1.TableColumnDefinition
	// cells returns a cell for each column.
	cells func(runtime.Object) []any
}

// newTable returns a table with the columns of a list such as "Name, Age, (IP)".
// kubectl shows those in parentheses with `-o wide` only. A cell is a string, an
// integer of any Go type or a bool; the type of a column is that of its cell in the row
// of an empty object.
func newTable[T any, P interface {
	*T
	runtime.Object
}](columns string, cells func(P) []any) table {
	t := table{cells: func(o runtime.Object) []any { return normalize(cells(o.(P))) }}
	empty := t.cells(P(new(T)))
	for i, name := range strings.Split(columns, ", ") {
		column := metav1.TableColumnDefinition{Name: name, Type: "string"}
		switch empty[i].(type) {
		case int64:
			column.Type = "integer"
		case bool:
			column.Type = "boolean"
		}
		if strings.HasPrefix(name, "(") {
			column.Name, column.Priority = strings.Trim(name, "()"), 1
		}
		switch column.Name {
		case "Name":
			column.Format, column.Description = "name", metav1.ObjectMeta{}.SwaggerDoc()["name"]
		case "Age":
			column.Description = metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]
		}
		t.columns = append(t.columns, column)
	}
	return t
}

// normalize converts cells to the types string, int64 and bool.
func normalize(cells []any) []any {
	for i, cell := range cells {
		switch v := reflect.ValueOf(cell); {
		case v.CanInt():
			cells[i] = v.Int()
		case v.Kind() != reflect.Bool:
			cells[i] = v.String()
		}
	}
	return cells
}

// ConvertToTable implements rest.TableConvertor.
func (t table) ConvertToTable(
	_ context.Context, object, options runtime.Object,
) (*metav1.Table, error) {
	out := &metav1.Table{}
	if o, ok := options.(*metav1.TableOptions); !ok || !o.NoHeaders {
		out.ColumnDefinitions = t.columns
	}
	if list, err := meta.ListAccessor(object); err == nil {
		out.ResourceVersion, out.Continue = list.GetResourceVersion(), list.GetContinue()
		out.RemainingItemCount = list.GetRemainingItemCount()
	} else if m, err := meta.CommonAccessor(object); err == nil {
		out.ResourceVersion = m.GetResourceVersion()
	}
	var err error
	out.Rows, err = metatable.MetaToTableRow(object,
		func(o runtime.Object, _ metav1.Object, _, _ string) ([]any, error) { return t.cells(o), nil })
	return out, err
}

// Cells for missing values, in kube-apiserver's words.
const (
	unknown = "<unknown>"
	none    = "<none>"
	unset   = "<unset>"
)

// since returns the time since t, as for the column Age.
func since(t metav1.Time) string { return metatable.ConvertToHumanReadableDateType(t) }

// formatLabels formats labels as a selector.
func formatLabels(labels map[string]string) string {
	return metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: labels})
}

func joinOrNone(values []string) string { return cmp.Or(strings.Join(values, ","), none) }
