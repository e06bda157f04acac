package apiserver

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apiserver/pkg/registry/rest"
)

// How kubectl get shows objects: it asks for tables, so that it is the server that
// knows the columns of each kind.

// column is one of a table.
type column struct {
	metav1.TableColumnDefinition
	// cell is a string, an int64 or a bool, as the definition says.
	cell func(runtime.Object) any
}

// tables makes tables of objects of one kind.
type tables []column

// newTables returns what makes the tables of a resource.
func newTables(r resource) rest.TableConvertor {
	if r.columns == nil {
		return rest.NewDefaultTableConvertor(r.groupResource())
	}
	return tables(r.columns)
}

// ConvertToTable implements rest.TableConvertor.
func (t tables) ConvertToTable(_ context.Context, object, options runtime.Object) (*metav1.Table, error) {
	table := &metav1.Table{}
	if o, ok := options.(*metav1.TableOptions); !ok || !o.NoHeaders {
		for _, c := range t {
			table.ColumnDefinitions = append(table.ColumnDefinitions, c.TableColumnDefinition)
		}
	}
	add := func(object runtime.Object) error {
		row := metav1.TableRow{Object: runtime.RawExtension{Object: object}}
		for _, c := range t {
			row.Cells = append(row.Cells, c.cell(object))
		}
		table.Rows = append(table.Rows, row)
		return nil
	}
	if !meta.IsListType(object) {
		table.ResourceVersion = metadata(object).GetResourceVersion()
		return table, add(object)
	}
	list, err := meta.ListAccessor(object)
	if err != nil {
		return nil, fmt.Errorf("making a table: %w", err)
	}
	table.ResourceVersion, table.Continue = list.GetResourceVersion(), list.GetContinue()
	table.RemainingItemCount = list.GetRemainingItemCount()
	return table, meta.EachListItem(object, add)
}

// text makes a column of words.
func text[T runtime.Object](name string, cell func(T) string) column {
	return column{metav1.TableColumnDefinition{Name: name, Type: "string"}, func(o runtime.Object) any { return cell(o.(T)) }}
}

// number makes a column of integers.
func number[T runtime.Object, N int | int32 | int64](name string, cell func(T) N) column {
	return column{metav1.TableColumnDefinition{Name: name, Type: "integer"}, func(o runtime.Object) any { return int64(cell(o.(T))) }}
}

// truth makes a column of yes and no.
func truth[T runtime.Object](name string, cell func(T) bool) column {
	return column{metav1.TableColumnDefinition{Name: name, Type: "boolean"}, func(o runtime.Object) any { return cell(o.(T)) }}
}

// wide has columns shown only if somebody asks for more.
func wide(columns ...column) []column {
	for i := range columns {
		columns[i].Priority = 1
	}
	return columns
}

// nameColumn is the first of almost every table.
func nameColumn() column {
	return column{
		metav1.TableColumnDefinition{Name: "Name", Type: "string", Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"]},
		func(o runtime.Object) any { return metadata(o).GetName() },
	}
}

func ageColumn() column {
	return column{
		metav1.TableColumnDefinition{Name: "Age", Type: "string", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]},
		func(o runtime.Object) any { return since(metadata(o).GetCreationTimestamp()) },
	}
}

// aged is a table that begins with the name and ends with the age.
func aged(between ...column) []column {
	return append(append([]column{nameColumn()}, between...), ageColumn())
}

// ageOnly is a table of which there is no more to say.
func ageOnly() []column { return aged() }

// unknown and none stand in cells for what is not there.
const (
	unknown = "<unknown>"
	none    = "<none>"
)

func since(t metav1.Time) string {
	if t.IsZero() {
		return unknown
	}
	return duration.HumanDuration(time.Since(t.Time))
}
