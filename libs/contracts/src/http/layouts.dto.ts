import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { ORDER_DIRECTIONS, type OrderDirection, WORKFLOW_ORIGINS, type WorkflowOrigin } from '../vocabulary';
import { LAYOUT_EDITORS, type LayoutEditor } from '../workflow-definition';
import { Child, Children, Choice, Flag, JsonMap, MADE_FROM, QueryWhole, REVISION, Text, Texts, Whole } from './fields';
import { LEFT_OUT } from './lists.dto';

const NAME = { trim: true, minLength: 1, maxLength: 256 } as const;
export const LAYOUT_ID = {
  maxLength: 128,
  pattern: /^[a-zA-Z0-9]+(?:[-_.][a-zA-Z0-9]+)*$/,
  patternMessage: 'layoutId must be letters and digits, parted by single hyphens, underscores or dots',
} as const;

export class LayoutEmailDto {
  @Text('The rendered step takes the place of `{{content}}`.', { maxLength: 512 * 1024 }) body!: string;
  @Choice(LAYOUT_EDITORS, 'HTML, or the JSON of the block editor as text.') editorType!: LayoutEditor;
}

export class LayoutControlValuesDto {
  @Child(() => LayoutEmailDto, { optional: true }) email?: LayoutEmailDto;
}

export class CreateLayoutDto {
  @Text('The name that email steps and overrides use.', { ...LAYOUT_ID }) layoutId!: string;
  @Text(NAME) name!: string;
  @Text('Where the layout was made; accepted and not kept.', { optional: true, maxLength: 64 }) __source?: string;
}

export class UpdateLayoutDto {
  @Text(NAME) name!: string;

  @Child(
    () => LayoutControlValuesDto,
    'Absent keeps what is there, null goes back to the body that new layouts have.',
    { optional: true, nullable: true },
  )
  controlValues?: LayoutControlValuesDto | null;

  @Flag('True makes it the default in place of the present one.', { optional: true }) isDefault?: boolean;
  @Text(MADE_FROM) revision?: string;
}

export class DuplicateLayoutDto {
  @Text(NAME) name!: string;
  @Text('Default: made from the name.', { ...LAYOUT_ID, optional: true }) layoutId?: string;
}

export const LAYOUT_ORDER = ['createdAt', 'updatedAt', 'name'] as const;

export class ListLayoutsQuery {
  @QueryWhole({ min: 1, max: 100, default: 50 }) limit: number = 50;
  @QueryWhole({ min: 0, max: LIMITS.pageOffset, default: 0 }) offset: number = 0;
  @Choice(LAYOUT_ORDER, 'Default createdAt.', { optional: true }) orderBy: (typeof LAYOUT_ORDER)[number] = 'createdAt';
  @Choice(ORDER_DIRECTIONS, 'Default DESC.', { optional: true }) orderDirection: OrderDirection = 'DESC';

  @Text('Part of the name or the layoutId, in any case.', { optional: true, maxLength: LIMITS.filterText })
  query?: string;
}

export class LayoutControlsDto {
  @Child(() => LayoutControlValuesDto) values!: LayoutControlValuesDto;
}

export const LAYOUT_TYPES = ['REGULAR'] as const;

export class LayoutDto {
  @Text() _id!: string;
  @Text() layoutId!: string;
  @Text() slug!: string;
  @Text() name!: string;
  @Flag('Email steps that name no layout use it. The first layout is the default.') isDefault!: boolean;
  @Flag('Always false: layouts are not translated.') isTranslationEnabled!: boolean;
  @Choice(WORKFLOW_ORIGINS) origin!: WorkflowOrigin;
  @Choice(LAYOUT_TYPES) type!: (typeof LAYOUT_TYPES)[number];
  @Child(() => LayoutControlsDto) controls!: LayoutControlsDto;
  @Text(`${REVISION} Absent in lists.`, { optional: true }) revision?: string;
  @Texts(LEFT_OUT) leftOut?: string[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class LayoutListDto {
  @Children(() => LayoutDto) layouts!: LayoutDto[];
  @Whole() totalCount!: number;
}

export class LayoutPreviewPayloadDto {
  @JsonMap({ optional: true }) subscriber?: JsonObject;
  @JsonMap({ optional: true }) context?: JsonObject;
  @Text('Stands for the rendered step.', { optional: true }) content?: string;
}

export class PreviewLayoutDto {
  @Child(() => LayoutControlValuesDto, 'Used instead of the stored ones.', { optional: true, nullable: true })
  controlValues?: LayoutControlValuesDto | null;

  @Child(() => LayoutPreviewPayloadDto, 'What the layout reads; without it, the example that the answer shows.', {
    optional: true,
    nullable: true,
  })
  previewPayload?: LayoutPreviewPayloadDto | null;
}

export class LayoutPreviewOutputDto {
  @Text() body!: string;
}

export class LayoutPreviewResultDto {
  @Choice(['email']) type!: 'email';
  @Child(() => LayoutPreviewOutputDto) preview!: LayoutPreviewOutputDto;
}

export class LayoutPreviewDto {
  @Child(() => LayoutPreviewResultDto) result!: LayoutPreviewResultDto;
  @Child(() => LayoutPreviewPayloadDto, 'Every variable that the layout uses, with a value.')
  previewPayloadExample!: LayoutPreviewPayloadDto;
}

export class LayoutUserDto {
  @Text() name!: string;
  @Text() workflowId!: string;
}

export class LayoutUsageDto {
  @Children(
    () => LayoutUserDto,
    `Workflows with an email step that uses the layout, at most ${LIMITS.layoutUsers} of them.`,
  )
  workflows!: LayoutUserDto[];
}
