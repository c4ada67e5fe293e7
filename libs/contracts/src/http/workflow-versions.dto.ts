import { LIMITS } from '../limits';
import { AuditActorDto } from './audit-log.dto';
import { Child, Children, Flag, QueryWhole, Text, Texts, Whole } from './fields';
import { WorkflowStepDto } from './workflows.dto';

export class ListWorkflowVersionsQuery {
  @QueryWhole({ min: 1, max: LIMITS.workflowVersions, default: 10 }) limit: number = 10;
  @QueryWhole('Only versions with a smaller number.', { min: 1, max: 999_999_999 }) before?: number;
}

export class WorkflowVersionDto {
  @Whole('Counts from 1; notifications keep the version with which they started.') version!: number;
  @Flag() isCurrent!: boolean;
  @Text() createdAt!: string;
  @Texts('What changed since the version before, in sentences.') changes!: string[];
  @Child(() => AuditActorDto, 'Absent when the audit log has no entry of the change.', { optional: true })
  actor?: AuditActorDto;
}

export class WorkflowVersionListDto {
  @Children(() => WorkflowVersionDto) data!: WorkflowVersionDto[];
  @Flag('There are older ones: ask again with `before` and the smallest number.') hasMore!: boolean;
}

export class WorkflowVersionDetailDto extends WorkflowVersionDto {
  @Children(() => WorkflowStepDto) steps!: WorkflowStepDto[];
}
