import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { invalidField, isId } from '@clarion/contracts';

@Injectable()
class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!isId(value)) throw invalidField(this.name, `${this.name} must be a UUID`, value);
    return value.toLowerCase();
  }
}

/** A path parameter that holds a UUID. A malformed one gets 422 here; for an unknown one the handler answers 404. */
export function IdParam(name: string): ParameterDecorator {
  return (target, key, index) => {
    Param(name, new IdPipe(name))(target, key, index);
    if (key !== undefined) {
      const descriptor = Object.getOwnPropertyDescriptor(target, key);
      if (descriptor) ApiParam({ name, schema: { type: 'string', format: 'uuid' } })(target, key, descriptor);
    }
  };
}
