import { ApiProperty } from '@nestjs/swagger';
import { Text, Whole } from './fields';

/** The body of every refusal. */
export class ErrorDto {
  @Whole() statusCode!: number;
  @Text() timestamp!: string;
  @Text({ description: 'The requested path with its query.' }) path!: string;
  @Text({ optional: true }) message?: string;
  @Text({ optional: true, description: 'Only for 500: what to look for in the logs.' }) errorId?: string;
  @ApiProperty({ type: Object, additionalProperties: true, required: false }) ctx?: Record<string, unknown>;
}

/** A 422: which fields, and what is wrong with each. */
export class ValidationErrorDto extends ErrorDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['messages'],
      properties: { messages: { type: 'array', items: { type: 'string' } }, value: { nullable: true } },
    },
  })
  errors!: Record<string, { messages: string[]; value?: unknown }>;
}
