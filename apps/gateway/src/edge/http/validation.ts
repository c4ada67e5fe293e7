import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { DomainError } from '@clarion/contracts';
import { type DtoClass, readDto } from './compiled-dto';
import { inputReport } from './unknown-input';

/** Validates every body and query against its DTO. Unknown keys are removed and reported. */
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || type === 'param' || !metatype || NO_DTO.has(metatype)) return value;
    // A request without a body is treated as an empty object.
    const read = readDto(metatype as DtoClass<object>, value ?? {});
    if (type === 'body') inputReport()?.add(read.unknown);
    if ('errors' in read) throw new DomainError('unprocessable', 'Validation Error', { errors: read.errors });
    if (type === 'body') inputReport()?.settle();
    return read.value;
  }
}

/** The metadata that TypeScript emits for parameters whose type is not a class. */
const NO_DTO = new Set<unknown>([Object, String, Number, Boolean, Array]);
