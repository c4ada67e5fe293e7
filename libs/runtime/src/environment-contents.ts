import { type EnvironmentId, type JsonObject, SECRET_MASK } from '@clarion/contracts/core';
import {
  localesFor,
  missingKeys,
  readContent,
  readsTranslations,
  textIn,
  type TextsByLocale,
  translateControls,
} from '@clarion/content';
import {
  type ClaimedStep,
  type Database,
  EnvironmentVariableRepository,
  type Surroundings,
  type SurroundingsRepository,
  translatedRowId,
  TranslationRepository,
} from '@clarion/persistence';
import { openVariable, type SecretBox } from '@clarion/platform';

export type ContentStore = Pick<EnvironmentVariableRepository, 'load'> & Pick<TranslationRepository, 'listMany'>;

/** Templates of a workflow or a layout, to be written in the language of one subscriber. */
export type TranslatedItem = {
  environmentId: EnvironmentId;
  /** The workflow or the layout that the templates belong to, by the id of its row. */
  resourceId: string;
  /** An email or a layout: the body may be JSON text. */
  isEmail: boolean;
  controls: JsonObject;
  locale: string | null | undefined;
};

type Stamped = { environmentId: EnvironmentId; contentStamp: string | null };

type Group = {
  contents: TextsByLocale;
  characters: number;
  /** By the locales that give the texts: the controls as they were written, and translated. */
  translated: Map<string, WeakMap<JsonObject, JsonObject>>;
};

type Known = {
  stamp: string;
  defaultLocale: string;
  variables: Record<string, string>;
  secrets?: Record<string, string>;
  groups: Map<string, Group>;
};

/** The group of an environment without contents: its templates show the keys. */
const NO_TRANSLATIONS: Group = { contents: new Map(), characters: 0, translated: new Map() };

const MAX_ENVIRONMENTS = 1_000;
/** Characters of all translations in memory. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Caches the variables and translations of environments. Every claimed step carries a stamp that changes with them, so
 * that a change applies from the next step on and no query is needed in between. Translations are written into the
 * controls once for each version of a workflow and each locale. An environment without a stamp has neither.
 */
export class EnvironmentContents {
  private readonly known = new Map<EnvironmentId, Known>();
  private characters = 0;

  constructor(
    private readonly store: ContentStore,
    /** Absent where no message is sent: secrets then stay closed. */
    private readonly secrets?: SecretBox,
  ) {}

  /** Reads the variables of the environments whose stamp changed. */
  async load(steps: Stamped[]): Promise<void> {
    const stale = new Map<EnvironmentId, string | null>();
    for (const { environmentId, contentStamp } of steps) {
      if ((this.known.get(environmentId)?.stamp ?? null) !== contentStamp) stale.set(environmentId, contentStamp);
    }
    await Promise.all([...stale].map(([environmentId, stamp]) => this.read(environmentId, stamp)));
  }

  /** The variables as rules, records and previews may show them: a secret is a mask. */
  variables(environmentId: EnvironmentId): Record<string, string> | undefined {
    return this.known.get(environmentId)?.variables;
  }

  /** The values of the secrets, for messages that are about to be sent; undefined when there are none. */
  secretsOf(environmentId: EnvironmentId): Record<string, string> | undefined {
    return this.known.get(environmentId)?.secrets;
  }

  /** Adds the variables of the environment to what templates and rules of a step read. */
  within(surroundings: Pick<SurroundingsRepository, 'load'>): {
    load(steps: ClaimedStep[]): Promise<(step: ClaimedStep) => Surroundings>;
  } {
    return {
      load: async (steps) => {
        const [surroundingsOf] = await Promise.all([surroundings.load(steps), this.load(steps)]);
        return (step) => {
          const variables = this.variables(step.environmentId);
          return variables ? { ...surroundingsOf(step), variables } : surroundingsOf(step);
        };
      },
    };
  }

  /** The controls of each item in the language of its subscriber. Items of one version and locale share the result. */
  async translate(items: TranslatedItem[]): Promise<JsonObject[]> {
    const groups = await this.groupsOf(items);
    return items.map((item, index) => {
      const group = groups[index];
      return group ? translateItem(item, group, this.known.get(item.environmentId)?.defaultLocale) : item.controls;
    });
  }

  /** The keys of each item that have no text, neither in the locale nor in what it falls back to. */
  async missingKeys(items: TranslatedItem[]): Promise<string[][]> {
    const groups = await this.groupsOf(items);
    return items.map(({ environmentId, locale, controls, isEmail }, index) => {
      const contents = groups[index]?.contents;
      if (!contents) return [];
      const locales = localesFor(contents, locale, this.known.get(environmentId)?.defaultLocale);
      return missingKeys(controls, textIn(contents, locales), { isEmail });
    });
  }

  /** The translations of each item; undefined when its templates name none. */
  private async groupsOf(items: TranslatedItem[]): Promise<(Group | undefined)[]> {
    const missing = new Map<EnvironmentId, Set<string>>();
    const wanted = items.map(({ environmentId, resourceId, isEmail, controls }) => {
      if (!readsTranslations(controls, { isEmail })) return undefined;
      const known = this.known.get(environmentId);
      if (known && !known.groups.has(resourceId)) {
        missing.set(environmentId, (missing.get(environmentId) ?? new Set()).add(resourceId));
      }
      return { known, resourceId };
    });
    const read = await Promise.all([...missing].map(([environmentId, ids]) => this.readGroups(environmentId, ids)));
    const groups = new Map(read.flatMap((found) => [...found]));
    return wanted.map(
      (item) => item && (groups.get(item.resourceId) ?? item.known?.groups.get(item.resourceId) ?? NO_TRANSLATIONS),
    );
  }

  private async read(environmentId: EnvironmentId, stamp: string | null): Promise<void> {
    const loaded = stamp === null ? undefined : await this.store.load(environmentId);
    this.forget(environmentId);
    if (!loaded) return;
    const { name, type, defaultLocale, variables: rows } = loaded;
    // Messages have the name and the type of the moment; previews have these.
    const variables: Record<string, string> = { name, type };
    const secrets: Record<string, string> = {};
    for (const { sealedValue, ...row } of rows) {
      if (!row.isSecret) variables[row.key] = row.value ?? '';
      else if (sealedValue === null) variables[row.key] = '';
      else {
        variables[row.key] = SECRET_MASK;
        if (this.secrets) secrets[row.key] = openVariable(this.secrets, { ...row, sealedValue }) ?? '';
      }
    }
    while (this.known.size >= MAX_ENVIRONMENTS) this.forget(this.known.keys().next().value!);
    this.known.set(environmentId, {
      stamp: stamp!,
      defaultLocale,
      variables,
      ...(Object.keys(secrets).length > 0 && { secrets }),
      groups: new Map(),
    });
  }

  /** A workflow or layout without translations has a group without locales, so that it is not read again. */
  private async readGroups(environmentId: EnvironmentId, ids: Set<string>): Promise<Map<string, Group>> {
    const known = this.known.get(environmentId)!;
    const rows = await this.store.listMany(environmentId, [...ids]);
    const found = new Map<string, Group>();
    for (const id of ids) {
      const contents = new Map<string, ReadonlyMap<string, string>>();
      let characters = 0;
      for (const { locale, content } of rows.filter((row) => translatedRowId(row) === id)) {
        const read = readContent(content);
        if (read.ok) contents.set(locale, read.texts);
        characters += JSON.stringify(content).length;
      }
      found.set(id, { contents, characters, translated: new Map() });
    }
    for (const [id, group] of found) this.keep(known, id, group);
    return found;
  }

  private keep(known: Known, id: string, group: Group): void {
    if (this.characters + group.characters > MAX_CHARACTERS) {
      for (const { groups } of this.known.values()) groups.clear();
      this.characters = 0;
    }
    known.groups.set(id, group);
    this.characters += group.characters;
  }

  private forget(environmentId: EnvironmentId): void {
    for (const { characters } of this.known.get(environmentId)?.groups.values() ?? []) this.characters -= characters;
    this.known.delete(environmentId);
  }
}

function translateItem(
  item: TranslatedItem,
  { contents, translated }: Group,
  defaultLocale: string | undefined,
): JsonObject {
  const locales = localesFor(contents, item.locale, defaultLocale);
  const key = locales.join(' ');
  let byControls = translated.get(key);
  if (!byControls) translated.set(key, (byControls = new WeakMap()));
  let controls = byControls.get(item.controls);
  if (!controls) {
    controls = translateControls(item.controls, textIn(contents, locales), { isEmail: item.isEmail });
    byControls.set(item.controls, controls);
  }
  return controls;
}

/** The contents of a database, with an empty cache. */
export function contentsOf({ database, secrets }: { database: Database; secrets?: SecretBox }): EnvironmentContents {
  const [variables, translations] = [new EnvironmentVariableRepository(database), new TranslationRepository(database)];
  const store: ContentStore = {
    load: (environmentId) => variables.load(environmentId),
    listMany: (environmentId, ids) => translations.listMany(environmentId, ids),
  };
  return new EnvironmentContents(store, secrets);
}
