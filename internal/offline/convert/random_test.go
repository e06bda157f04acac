package convert

import (
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"
)

// random sets the fields of an object. Large types that are the same in both
// versions get little content, because they are copied whole.
func random(t *rapid.T, object runtime.Object) {
	randomValue(t, reflect.ValueOf(object).Elem())
}

func randomValue(t *rapid.T, v reflect.Value) {
	if special, ok := randomSpecial(t, v.Interface()); ok {
		v.Set(reflect.ValueOf(special))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			randomValue(t, v.Field(i))
		}
	case reflect.Pointer:
		if flip(t) {
			v.Set(reflect.New(v.Type().Elem()))
			randomValue(t, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), randomSize(t), 2))
		for i := range v.Len() {
			randomValue(t, v.Index(i))
		}
	case reflect.Map:
		randomMap(t, v)
	case reflect.String:
		v.SetString(word(t))
	case reflect.Bool:
		v.SetBool(flip(t))
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(rapid.Int32().Draw(t, "number")))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.Uint8().Draw(t, "byte")))
	default:
		t.Fatalf("no random value is known for %v", v.Type())
	}
}

func randomMap(t *rapid.T, v reflect.Value) {
	if !flip(t) {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	randomValue(t, key)
	randomValue(t, value)
	v.SetMapIndex(key, value)
}

// randomSpecial returns values of types with unexported fields, and of large
// ones.
func randomSpecial(t *rapid.T, v any) (any, bool) {
	switch v.(type) {
	case metav1.TypeMeta:
		return metav1.TypeMeta{}, true
	case metav1.ObjectMeta:
		return metav1.ObjectMeta{Name: word(t), Annotations: words(t), Labels: map[string]string{"own": word(t)}}, true
	case metav1.Time:
		return metav1.Time{Time: moment(t)}, true
	case metav1.MicroTime:
		return metav1.MicroTime{Time: moment(t)}, true
	case resource.Quantity:
		return *resource.NewQuantity(int64(rapid.Int32().Draw(t, "quantity")), resource.DecimalSI), true
	}
	return nil, false
}

func moment(t *rapid.T) time.Time {
	return time.Unix(int64(rapid.Int32().Draw(t, "second")), int64(rapid.IntRange(0, 999_999_999).Draw(t, "nanosecond")))
}

func words(t *rapid.T) map[string]string {
	if !flip(t) {
		return nil
	}
	return map[string]string{word(t): word(t)}
}

func word(t *rapid.T) string    { return rapid.StringMatching("[a-z]{1,4}").Draw(t, "word") }
func flip(t *rapid.T) bool      { return rapid.Bool().Draw(t, "flip") }
func randomSize(t *rapid.T) int { return rapid.IntRange(0, 2).Draw(t, "size") }
