import {
  type Channel,
  CHANNELS,
  CreateIntegrationDto,
  type CredentialsDto,
  isDemoProvider,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  newId,
  type ProviderId,
  toOurName,
} from '@clarion/contracts';
import type { Integration, IntegrationRepository } from '@clarion/persistence';
import type { SecretBox } from '@clarion/platform';
import { checkCredentials, describeProvider, isProviderOf, SECRET_CREDENTIAL_FIELDS } from '@clarion/providers';
import type { AuditLog } from '../../edge/audit-log/audit-log';
import { readDto } from '../../edge/http/compiled-dto';
import { isMask } from '../../edge/http/masked-text';
import { open, seal } from '../../channels/integrations/integration-secrets';
import {
  type Commit,
  contentFault,
  faultText,
  given,
  type ImportContext,
  type ImportedKind,
  shownText,
  Tally,
  textIn,
} from './import-kind';
import type { Batch, MissingCredentials } from './import-progress';
import type { SourceClient } from './source-client';

type Stores = { integrations: IntegrationRepository; secrets: SecretBox; audit: AuditLog };

/** An integration of the source that can exist here. */
type Wanted = {
  identifier: string;
  name: string;
  providerId: ProviderId;
  channel: Channel;
  conditions: Integration['conditions'];
  credentials: CredentialsDto;
  /** Secrets that the source has a value of. */
  secrets: string[];
};

const SECRETS: ReadonlySet<string> = new Set(SECRET_CREDENTIAL_FIELDS);

/** Integrations without their secrets: inactive until a person has filled them in. Existing ones are never changed. */
export class ImportedIntegrations implements ImportedKind<JsonObject> {
  readonly name = 'integrations';

  constructor(
    private readonly context: ImportContext,
    private readonly stores: Stores,
  ) {}

  async read(): Promise<Batch<JsonObject>> {
    const items = await sourceIntegrations(this.context.client);
    return { items, next: null, total: items.length };
  }

  async write(items: JsonObject[], commit: Commit): Promise<void> {
    const { database, environment } = this.context;
    await database.transaction(async () => {
      const tally = new Tally(this.name);
      await this.stores.integrations.lock(environment.id);
      const present = await this.stores.integrations.list(environment.id);
      const credentials: MissingCredentials[] = [];
      for (const item of items) {
        const wanted = wantedOf(item);
        const id = textIn(item, 'identifier') ?? textIn(item, '_id') ?? '';
        const row = typeof wanted === 'string' ? wanted : (existing(present, wanted) ?? wanted);
        if (typeof row === 'string') tally.skip(id, row);
        else if ('id' in row) tally.unchanged += 1;
        else if (present.length >= LIMITS.integrations) tally.skip(id, `there are ${LIMITS.integrations} already`);
        else {
          present.push(await this.create(row));
          tally.created += 1;
        }
        if (typeof wanted !== 'string' && typeof row !== 'string') credentials.push(...this.missing(present, wanted));
      }
      await commit({ ...tally.outcome, credentials });
    });
  }

  private async create({ secrets: _, credentials, ...wanted }: Wanted): Promise<Integration> {
    const { environment } = this.context;
    const { integrations, secrets, audit } = this.stores;
    const row = { id: newId(), environmentId: environment.id, ...wanted, active: false, configurations: {} };
    await integrations.insert({ ...row, credentials: seal(secrets, row, 'credentials', credentials) });
    const after = (await integrations.find(environment.id, row.id))!;
    const place = { organizationId: environment.organizationId, environmentId: environment.id };
    await audit.recordIn('cli', place, { resource: 'integration', id: row.id, after: { ...after, credentials } });
    return after;
  }

  /** What a person has to fill in: what the provider requires, and what the source has and this environment has not. */
  private missing(present: Integration[], { identifier, providerId, secrets }: Wanted): MissingCredentials[] {
    const row = present.find((each) => each.identifier === identifier);
    if (!row || isDemoProvider(providerId) || row.channel === 'in_app') return [];
    const stored = open(this.stores.secrets, row).credentials as JsonObject;
    const required = checkCredentials(providerId, stored).missing;
    const fields = [...new Set([...required, ...secrets.filter((field) => stored[field] === undefined)])];
    return fields.length === 0 ? [] : [{ integration: identifier, providerId, fields }];
  }
}

/** The integrations of the environment of the key; some systems list those of all environments. */
export async function sourceIntegrations(client: SourceClient): Promise<JsonObject[]> {
  const list = await client.get('/v1/integrations');
  const items = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const environments = new Set(items.map((item) => textIn(item, '_environmentId')));
  if (environments.size < 2) return items;
  const own = textIn(await client.object('/v1/environments/me'), '_id');
  return items.filter((item) => textIn(item, '_environmentId') === own);
}

function wantedOf(item: JsonObject): Wanted | string {
  const fault = contentFault(item);
  if (fault !== undefined) return fault;
  const providerId = toOurName(textIn(item, 'providerId') ?? '');
  const channel = CHANNELS.find((each) => each === item['channel']);
  if (!channel || !isProviderOf(channel, providerId)) {
    return `there is no provider ${providerId} of the channel ${shownText(item['channel'] ?? null)}`;
  }
  const credentials = isJsonObject(item['credentials']) ? item['credentials'] : {};
  const filled = Object.entries(credentials).filter(([, value]) => value !== null && value !== '');
  const read = readDto(CreateIntegrationDto, {
    ...given(item, ['name', 'identifier', 'conditions']),
    providerId,
    channel,
    credentials: Object.fromEntries(filled.filter(([field, value]) => !SECRETS.has(field) && !isHidden(value))),
  });
  if ('errors' in read) return faultText(read.errors);
  const {
    name = describeProvider(providerId).displayName,
    identifier,
    conditions = [],
    credentials: open = {},
  } = read.value;
  if (identifier === undefined) return 'it has no identifier';
  const secrets = filled.map(([field]) => field).filter((field) => SECRETS.has(field));
  return { identifier, name, providerId, channel, conditions, credentials: open, secrets };
}

const isHidden = (value: Json): boolean => typeof value === 'string' && isMask(value);

/** The integration that is there already, or why this one cannot be. There is one of each built-in provider. */
function existing(present: Integration[], wanted: Wanted): Integration | string | undefined {
  const { identifier, providerId, channel } = wanted;
  const same = present.find((row) => row.identifier === identifier);
  if (same && same.providerId !== providerId) return `the identifier belongs to an integration of ${same.providerId}`;
  const isBuiltIn = channel === 'in_app' || isDemoProvider(providerId);
  return same ?? (isBuiltIn ? present.find((row) => row.providerId === providerId) : undefined);
}
