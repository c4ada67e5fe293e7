import { Injectable } from '@nestjs/common';
import {
  type CreateEnvironmentVariableDto,
  DomainError,
  type EnvironmentId,
  type EnvironmentVariableDto,
  type EnvironmentVariableUsageDto,
  invalidField,
  LIMITS,
  type ListEnvironmentVariablesQuery,
  SECRET_MASK,
  type UpdateEnvironmentVariableDto,
} from '@clarion/contracts';
import {
  Database,
  EnvironmentRepository,
  type EnvironmentVariable,
  EnvironmentVariableRepository,
  type KeyOwner,
  newVariable,
  type NewVariable,
} from '@clarion/persistence';
import { openVariable, sealVariable, SecretBox } from '@clarion/platform';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { isMask } from '../../edge/http/masked-text';

/** `env.name` and `env.type` are the environment itself. */
const RESERVED_KEYS = new Set(['name', 'type']);

type GivenValues = ReadonlyMap<EnvironmentId, string>;

/**
 * A variable has one row in each environment that it has a value in, and in the environment in which it was created.
 * A key of the scope `admin` works on the rows of all environments of its organization, any other key on the row of
 * its environment.
 */
@Injectable()
export class EnvironmentVariablesService {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly variables: EnvironmentVariableRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  async create(owner: KeyOwner, input: CreateEnvironmentVariableDto): Promise<EnvironmentVariableDto> {
    checkKey(input.key);
    const { key, isSecret = false } = input;
    return this.write(owner, async (environmentIds) => {
      const given = valuesOf(input.values, environmentIds);
      if ((await this.variables.find(environmentIds, key)).length > 0) throw taken(key);
      const ids = new Set([owner.environmentId, ...given.keys()]);
      const rows = [...ids].map((environmentId) => newVariable(environmentId, key, isSecret));
      return toDto(owner, await this.save(owner, [], rows, given));
    });
  }

  async list(owner: KeyOwner, { search }: ListEnvironmentVariablesQuery): Promise<EnvironmentVariableDto[]> {
    const rows = await this.variables.list(await this.environmentsOf(owner), search);
    const byKey = new Map<string, EnvironmentVariable[]>();
    for (const row of rows) byKey.set(row.key, [...(byKey.get(row.key) ?? []), row]);
    return [...byKey.values()].map((own) => toDto(owner, own));
  }

  async retrieve(owner: KeyOwner, key: string): Promise<EnvironmentVariableDto> {
    return toDto(owner, await this.find(await this.environmentsOf(owner), key));
  }

  update(owner: KeyOwner, key: string, input: UpdateEnvironmentVariableDto): Promise<EnvironmentVariableDto> {
    if (input.key !== undefined) checkKey(input.key);
    return this.write(owner, async (environmentIds) => {
      const given = valuesOf(input.values, environmentIds);
      const before = await this.find(environmentIds, key);
      const renamed = input.key ?? key;
      if (renamed !== key && (await this.variables.find(environmentIds, renamed)).length > 0) throw taken(renamed);
      const isSecret = input.isSecret ?? before.some((row) => row.isSecret);
      const known = new Set(before.map(({ environmentId }) => environmentId));
      const added = [...given.keys()].filter((id) => !known.has(id)).map((id) => newVariable(id, renamed, isSecret));
      const changed = before.map((row) => ({ ...row, key: renamed, isSecret }));
      return toDto(owner, await this.save(owner, before, [...changed, ...added], given));
    });
  }

  delete(owner: KeyOwner, key: string): Promise<void> {
    return this.write(owner, async (environmentIds) => {
      const before = await this.find(environmentIds, key);
      await this.variables.delete(environmentIds, key);
      for (const row of before) await this.record(owner, row, undefined);
    });
  }

  async usage(owner: KeyOwner, key: string): Promise<EnvironmentVariableUsageDto> {
    await this.find(await this.environmentsOf(owner), key);
    const { workflows, layouts } = await this.variables.listUsers(owner.environmentId, key);
    return {
      workflows: workflows.map(({ name, identifier }) => ({ name, workflowId: identifier })),
      layouts: layouts.map(({ name, identifier }) => ({ name, layoutId: identifier })),
    };
  }

  private async environmentsOf({ scope, organizationId, environmentId }: KeyOwner): Promise<EnvironmentId[]> {
    if (scope !== 'admin') return [environmentId];
    return (await this.environments.list(organizationId)).map(({ id }) => id);
  }

  private async find(environmentIds: EnvironmentId[], key: string): Promise<EnvironmentVariable[]> {
    const rows = await this.variables.find(environmentIds, key);
    if (rows.length === 0) throw new DomainError('not_found', `Environment variable ${key} was not found`);
    return rows;
  }

  /** Runs a change under the lock of all environments that it may touch. */
  private async write<T>(owner: KeyOwner, change: (environmentIds: EnvironmentId[]) => Promise<T>): Promise<T> {
    const environmentIds = await this.environmentsOf(owner);
    return this.database.transaction(async () => {
      await this.variables.lock(environmentIds);
      return change(environmentIds);
    });
  }

  private async save(
    owner: KeyOwner,
    before: EnvironmentVariable[],
    rows: NewVariable[],
    given: GivenValues,
  ): Promise<EnvironmentVariable[]> {
    const stored = new Map(before.map((row) => [row.environmentId, row]));
    const after = await this.variables.save(rows.map((row) => this.withValue(row, stored, given)));
    await this.checkSizes(after.map(({ environmentId }) => environmentId));
    for (const row of after) await this.record(owner, stored.get(row.environmentId), row);
    return after;
  }

  /** The row with the given value, or with the stored one in the form that the row needs now. */
  private withValue(
    row: NewVariable,
    stored: ReadonlyMap<EnvironmentId, EnvironmentVariable>,
    given: GivenValues,
  ): NewVariable {
    const before = stored.get(row.environmentId);
    const sent = given.get(row.environmentId);
    const isKept = sent === undefined || (before?.sealedValue != null && isMask(sent));
    if (isKept && before?.sealedValue != null && !row.isSecret) {
      throw invalidField(
        'isSecret',
        `isSecret can become false only with a new value for the environment ${row.environmentId}`,
      );
    }
    const value = isKept ? this.storedValue(before) : sent;
    if (!row.isSecret || value === null) return { ...row, value, sealedValue: null };
    return { ...row, value: null, sealedValue: sealVariable(this.secrets, row, value) };
  }

  private storedValue(row: EnvironmentVariable | undefined): string | null {
    if (row?.sealedValue == null) return row?.value ?? null;
    const value = openVariable(this.secrets, { ...row, sealedValue: row.sealedValue });
    if (value !== undefined) return value;
    throw new DomainError('conflict', `The value of ${row.key} cannot be decrypted: give it a new value`);
  }

  private async checkSizes(environmentIds: EnvironmentId[]): Promise<void> {
    for (const { count, characters } of await this.variables.sizes(environmentIds)) {
      if (count > LIMITS.environmentVariables) {
        throw invalidField('key', `an environment must not have more than ${LIMITS.environmentVariables} variables`);
      }
      if (characters > LIMITS.variablesCharacters) {
        const most = LIMITS.variablesCharacters;
        throw invalidField(
          'values',
          `the values of an environment must not have more than ${most} characters together`,
        );
      }
    }
  }

  private async record(
    owner: KeyOwner,
    before: EnvironmentVariable | undefined,
    after: EnvironmentVariable | undefined,
  ): Promise<void> {
    const { id, environmentId } = (after ?? before)!;
    await this.audit.recordIn(
      owner,
      { organizationId: owner.organizationId, environmentId },
      { resource: 'environment_variable', id, before: before && recorded(before), after: after && recorded(after) },
    );
  }
}

/** The audit log says that a secret was set or changed, and never its value. */
const recorded = ({ key, isSecret, value, sealedValue }: EnvironmentVariable): object => ({
  key,
  isSecret,
  ...(isSecret ? { credentials: { value: sealedValue } } : { value }),
});

function checkKey(key: string): void {
  if (RESERVED_KEYS.has(key)) throw invalidField('key', `key must not be ${key}: env.${key} is the environment itself`);
}

const taken = (key: string): DomainError =>
  new DomainError('conflict', `Environment variable with key "${key}" already exists`);

/** An environment that the key may not change gets the same error as a missing one. */
function valuesOf(values: CreateEnvironmentVariableDto['values'], environmentIds: EnvironmentId[]): GivenValues {
  const allowed = new Set<string>(environmentIds);
  const given = new Map<EnvironmentId, string>();
  for (const [index, { _environmentId, value }] of (values ?? []).entries()) {
    const field = `values.${index}._environmentId`;
    const id = _environmentId.toLowerCase() as EnvironmentId;
    if (!allowed.has(id))
      throw invalidField(field, `${field} names an environment that was not found: ${_environmentId}`);
    if (given.has(id)) throw invalidField(field, `${field} is there twice`);
    given.set(id, value);
  }
  return given;
}

function toDto({ organizationId }: KeyOwner, rows: EnvironmentVariable[]): EnvironmentVariableDto {
  const isSecret = rows.some((row) => row.isSecret);
  const times = (of: (row: EnvironmentVariable) => Date): number[] => rows.map((row) => of(row).getTime());
  return {
    _id: rows[0]!.id,
    _organizationId: organizationId,
    key: rows[0]!.key,
    type: 'string',
    isSecret,
    values: rows.flatMap(({ environmentId, value, sealedValue }) =>
      value === null && sealedValue === null
        ? []
        : [{ _environmentId: environmentId, value: isSecret ? SECRET_MASK : value! }],
    ),
    createdAt: new Date(Math.min(...times((row) => row.createdAt))).toISOString(),
    updatedAt: new Date(Math.max(...times((row) => row.updatedAt))).toISOString(),
  };
}
