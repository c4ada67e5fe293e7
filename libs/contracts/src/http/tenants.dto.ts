import type { JsonObject } from '../json';
import { Children, DATA_LIMIT, DATA_SIZE, JsonMap, QueryWhole, Text, Texts } from './fields';
import { LEFT_OUT, PageEnvelope, PageQuery } from './lists.dto';

const IDENTIFIER = { trim: true, minLength: 1, maxLength: 256 } as const;
const NAME = { optional: true, nullable: true, maxLength: 1000 } as const;
const DATA = {
  ...DATA_LIMIT,
  optional: true,
  nullable: true,
  description: `Data that templates can read. ${DATA_SIZE}`,
} as const;

export class CreateTenantDto {
  @Text('The name that triggers use.', { ...IDENTIFIER }) identifier!: string;
  @Text(NAME) name?: string | null;
  @JsonMap(DATA) data?: JsonObject | null;
}

/** Absent keeps what is there, null clears it. */
export class PatchTenantDto {
  @Text({ ...IDENTIFIER, optional: true }) identifier?: string;
  @Text(NAME) name?: string | null;
  @JsonMap(DATA) data?: JsonObject | null;
}

export class ListTenantsQuery extends PageQuery {
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;
}

export class TenantDto {
  @Text() _id!: string;
  @Text() identifier!: string;
  @Text({ optional: true }) name?: string;
  @JsonMap({ optional: true }) data?: JsonObject;
  @Texts(LEFT_OUT) leftOut?: string[];
  @Text() _environmentId!: string;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class TenantListDto extends PageEnvelope {
  @Children(() => TenantDto) data!: TenantDto[];
}
