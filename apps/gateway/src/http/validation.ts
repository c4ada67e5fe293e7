import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { DomainError } from '@clarion/contracts';
import { type DtoClass, readDto } from './compiled-dto';
import { inputReport } from './unknown-input';

/** Validates every body and query against its DTO; unknown keys are left out and reported. */
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || type === 'param' || !metatype || NO_DTO.has(metatype)) return value;
    // A request without a body is one that leaves out every field.
    const read = readDto(metatype as DtoClass<object>, value ?? {});
    if (type === 'body') inputReport()?.add(read.unknown);
    if ('errors' in read) throw new DomainError('unprocessable', 'Validation Error', { errors: read.errors });
    if (type === 'body') inputReport()?.settle();
    return read.value;
  }
}

/** What TypeScript writes down for parameters that are declared as no class. */
const NO_DTO = new Set<unknown>([Object, String, Number, Boolean, Array]);
