import {
  isJsonObject,
  isPathSegment,
  type Json,
  type JsonObject,
  LIMITS,
  type PromotedType,
  TRANSLATED_RESOURCES,
} from '@clarion/contracts';
import type { DefinitionWriter, SourceDefinition } from './definitions';
import { type Commit, given, type ImportedKind, shownText, textIn } from './import-kind';
import type { Batch } from './import-progress';
import { isLocal, segmentOf, type SourceClient, SourceError } from './source-client';
import { SourceLists } from './source-lists';

/** Definitions of one batch; each is one call, and all of them are one publish. */
const BATCH = 25;

/** Where the source has the definitions of a type. */
const PLACES = {
  layout: { kind: 'layouts', path: '/v2/layouts', id: 'layoutId', content: layoutContent },
  workflow: { kind: 'workflows', path: '/v2/workflows', id: 'workflowId', content: workflowContent },
} as const satisfies Partial<Record<PromotedType, object>>;

type Place = (typeof PLACES)[keyof typeof PLACES];

export class ImportedDefinitions implements ImportedKind<SourceDefinition> {
  private readonly place: Place = PLACES[this.type];
  readonly name = this.place.kind;
  private readonly lists = new SourceLists(this.client);
  private layoutIds: Promise<Map<string, string>> | undefined;

  constructor(
    private readonly client: SourceClient,
    private readonly writer: DefinitionWriter,
    private readonly type: keyof typeof PLACES,
  ) {}

  async read(cursor: Json): Promise<Batch<SourceDefinition>> {
    const { path, kind, id: idName, content } = this.place;
    const page = await this.lists.byOffset(path, kind, cursor, BATCH);
    const items = await this.client.each(page.items, async (summary): Promise<SourceDefinition> => {
      const id = textIn(summary, idName) ?? '';
      try {
        const full = await this.client.object(`${path}/${segmentOf(id)}`);
        return { id, content: content(full, await this.knownLayouts(full)) };
      } catch (error) {
        if (error instanceof SourceError && isLocal(error)) return { id, fault: error.message };
        throw error;
      }
    });
    return { ...page, items };
  }

  write(items: SourceDefinition[], commit: Commit): Promise<void> {
    return this.writer.write(this.name, this.type, items, commit);
  }

  /** The layoutIds by the ids that the source gave the layouts: steps may name either. */
  private knownLayouts(full: JsonObject): Promise<ReadonlyMap<string, string>> {
    const named = stepsOf(full).some((step) => ROW_ID.test(textIn(controlsOf(step), 'layoutId') ?? ''));
    if (!named) return Promise.resolve(new Map());
    this.layoutIds ??= (async () => {
      const found = new Map<string, string>();
      for (let cursor: Json = 0; cursor !== null;) {
        const page: Batch<JsonObject> = await new SourceLists(this.client).byOffset(
          '/v2/layouts',
          'layouts',
          cursor,
          50,
        );
        for (const layout of page.items) found.set(textIn(layout, '_id') ?? '', textIn(layout, 'layoutId') ?? '');
        cursor = page.next;
      }
      return found;
    })();
    return this.layoutIds;
  }
}

export class ImportedTranslations implements ImportedKind<SourceDefinition> {
  readonly name = 'translations';
  private readonly lists = new SourceLists(this.client);

  constructor(
    private readonly client: SourceClient,
    private readonly writer: DefinitionWriter,
  ) {}

  async read(cursor: Json): Promise<Batch<SourceDefinition>> {
    const { type, offset } = isJsonObject(cursor) ? cursor : { type: TRANSLATED_RESOURCES[0], offset: 0 };
    const at = TRANSLATED_RESOURCES.findIndex((each) => each === type);
    const resource = TRANSLATED_RESOURCES[at]!;
    const { path, kind, id } = PLACES[resource];
    const page = await this.lists.byOffset(path, kind, offset ?? 0, BATCH);
    const found = await this.client.each(page.items, (summary) => this.textsOf(resource, textIn(summary, id) ?? ''));
    const following = TRANSLATED_RESOURCES[at + 1];
    const next =
      page.next !== null ? { type: resource, offset: page.next } : following ? { type: following, offset: 0 } : null;
    return { items: found.flat(), next, total: null };
  }

  write(items: SourceDefinition[], commit: Commit): Promise<void> {
    return this.writer.write(this.name, 'translation', items, commit);
  }

  private async textsOf(resourceType: 'layout' | 'workflow', resourceId: string): Promise<SourceDefinition[]> {
    // The definition itself is listed as one that cannot be read.
    if (!isPathSegment(resourceId)) return [];
    const name = segmentOf(resourceId);
    let group: JsonObject;
    try {
      group = await this.client.object(`/v2/translations/group/${resourceType}/${name}`);
    } catch (error) {
      if (!(error instanceof SourceError) || !isLocal(error)) throw error;
      // Without texts, and also where the source has no translations at all.
      if (error.status === 404) return [];
      // The plan or the key of the source has no translations: all groups would be refused.
      if (error.status === 402 || error.status === 403) throw error;
      return [{ id: `${resourceType}.${resourceId}`, fault: error.message }];
    }
    const locales = Array.isArray(group['locales']) ? group['locales'].map((locale) => shownText(locale ?? '')) : [];
    if (locales.length > LIMITS.locales) {
      const fault = `has ${locales.length} locales, at most ${LIMITS.locales} are accepted`;
      return [{ id: `${resourceType}.${resourceId}`, fault }];
    }
    const definitions: SourceDefinition[] = [];
    for (const locale of locales) {
      const id = `${resourceType}.${resourceId}.${locale}`;
      try {
        const path = `/v2/translations/${resourceType}/${name}/${segmentOf(locale)}`;
        const { content } = await this.client.object(path);
        definitions.push({ id, content: { resourceType, resourceId, locale, content: content ?? {} } });
      } catch (error) {
        if (!(error instanceof SourceError) || !isLocal(error)) throw error;
        definitions.push({ id, fault: error.message });
      }
    }
    return definitions;
  }
}

/** An id of a row: of a document database, or a UUID. */
const ROW_ID = /^([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function layoutContent(full: JsonObject): JsonObject {
  const email = objectIn(controlsOf(full), 'email');
  return {
    ...given(full, ['layoutId', 'name', 'isDefault']),
    ...(email && { controlValues: { email: given(email, ['body', 'editorType']) } }),
  };
}

function workflowContent(full: JsonObject, layoutIds: ReadonlyMap<string, string>): JsonObject {
  const head = ['workflowId', 'name', 'description', 'tags', 'active', 'severity', 'origin'];
  const { default: own, user } = objectIn(full, 'preferences') ?? {};
  return {
    ...given(full, [...head, 'validatePayload', 'escapeHtml', 'whileRetrying', 'payloadSchema']),
    preferences: {
      ...(isJsonObject(own) && { workflow: withoutDefaults(layerOf(own)) }),
      ...(isJsonObject(user) && { user: layerOf(user) }),
    },
    steps: stepsOf(full).map((step) => stepContent(step, layoutIds)),
  };
}

function stepContent(step: JsonObject, layoutIds: ReadonlyMap<string, string>): JsonObject {
  const controlValues = controlsOf(step);
  const layoutId = layoutIds.get(textIn(controlValues, 'layoutId') ?? '');
  const variants = Array.isArray(step['variants']) ? step['variants'].filter(isJsonObject) : [];
  return {
    ...given(step, ['stepId', 'name', 'type', 'filters', 'active', 'shouldStopOnFail']),
    controlValues: { ...controlValues, ...(layoutId && { layoutId }) },
    variants: variants.map((variant) => given(variant, ['name', 'active', 'filters', 'controlValues'])),
  };
}

/** The preferences of a workflow, without what the source derives from them. */
function layerOf(layer: JsonObject): JsonObject {
  const all = objectIn(layer, 'all');
  const channels = Object.entries(objectIn(layer, 'channels') ?? {}).flatMap(([channel, value]): [string, Json][] =>
    isJsonObject(value) ? [[channel, given(value, ['enabled'])]] : [],
  );
  return { ...(all && { all: given(all, ['enabled', 'readOnly']) }), channels: Object.fromEntries(channels) };
}

/** The source fills in every value. In the lowest layer those that are the default decide nothing. */
function withoutDefaults(layer: JsonObject): JsonObject {
  const { enabled = true, readOnly = false } = objectIn(layer, 'all') ?? {};
  const channels = Object.entries(objectIn(layer, 'channels') ?? {});
  return {
    ...((enabled !== true || readOnly !== false) && { all: { enabled, readOnly } }),
    channels: Object.fromEntries(channels.filter(([, value]) => (value as JsonObject)['enabled'] !== enabled)),
  };
}

const stepsOf = (full: JsonObject): JsonObject[] =>
  Array.isArray(full['steps']) ? full['steps'].filter(isJsonObject) : [];

const controlsOf = (object: JsonObject): JsonObject =>
  objectIn(object, 'controlValues') ?? objectIn(objectIn(object, 'controls') ?? {}, 'values') ?? {};

function objectIn(object: JsonObject, name: string): JsonObject | undefined {
  const value = object[name];
  return isJsonObject(value) ? value : undefined;
}
