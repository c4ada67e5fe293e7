import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { Children, JsonMap, Text, Whole } from './fields';

export class ErrorDto {
  @Whole() statusCode!: number;
  @Text() timestamp!: string;
  @Text('The requested path with its query.') path!: string;
  @Text() message!: string;
  @Text('The name of the status.') error!: string;
  @Text('Only for 500: what to look for in the logs.', { optional: true }) errorId?: string;
  @ApiProperty({ type: Object, additionalProperties: true, required: false }) ctx?: Record<string, unknown>;
}

/** A 422: which fields, and what is wrong with each. */
export class ValidationErrorDto extends ErrorDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['messages'],
      properties: { messages: { type: 'array', items: { type: 'string' } }, value: {} },
    },
  })
  errors!: Record<string, { messages: string[]; value?: unknown }>;
}

export class EventFaultDto {
  @Text() field!: string;
  @Text() message!: string;
}

/** A 400 of the trigger endpoints, for instance a payload that does not fit the schema of the workflow. */
export class EventErrorDto extends ErrorDto {
  @Text('PAYLOAD_VALIDATION_ERROR or BAD_REQUEST.') type!: string;
  @Children(() => EventFaultDto) errors!: EventFaultDto[];
  @JsonMap('The schema that the payload does not fit.', { optional: true }) schema?: JsonObject;
}
