/** Several property decorators as one. (Nest has the same helper, but contracts must not depend on Nest's runtime.) */
export function applyDecorators(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorator of decorators) decorator(target, property);
  };
}
