import { type EnvironmentId, type JsonObject, SECRET_MASK } from '@clarion/contracts/core';
import { localesFor, readsTranslations, type Rendering, type Template, type TemplateRenderer } from '@clarion/content';
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

/** The language of one subscriber in a workflow or a layout, by the id of its row. */
type Language = { environmentId: EnvironmentId; resourceId: string; locale: string | null | undefined };

/** Templates of a workflow or a layout, to be written in the language of one subscriber. */
export type TranslatedItem = Language & Template;

/** What one template names: variables of the environment, and keys without a text. */
type Names = { environment: string[]; missing: string[] };

type Sources = { database: Database; templates: TemplateRenderer; secrets?: SecretBox };

type Stamped = { environmentId: EnvironmentId; contentStamp: string | null };

type Group = {
  /** The JSON of the contents, by locale. */
  contents: ReadonlyMap<string, string>;
  characters: number;
  /** By the locales that give the texts: the controls as they were written, and translated. */
  translated: Map<string, WeakMap<JsonObject, Promise<Rendering>>>;
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
 * controls once for each version of a workflow and each locale, in a render process. An environment without a stamp has
 * neither.
 */
export class EnvironmentContents {
  private readonly known = new Map<EnvironmentId, Known>();
  private characters = 0;

  constructor(
    private readonly store: ContentStore,
    private readonly renderer: Pick<TemplateRenderer, 'translate' | 'namesIn'>,
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

  /**
   * The controls of each item in the language of its subscriber, or the fault of the control that gets too long. Items
   * of one version and locale share the result.
   */
  async translate(items: TranslatedItem[]): Promise<Rendering[]> {
    const named = items.filter(({ controls }) => readsTranslations(controls));
    const groups = (await this.groupsOf(named)).values();
    return Promise.all(
      items.map(async (item): Promise<Rendering> =>
        readsTranslations(item.controls)
          ? await this.translated(item, groups.next().value!)
          : { ok: true, controls: item.controls },
      ),
    );
  }

  private translated(item: TranslatedItem, { contents, translated }: Group): Promise<Rendering> {
    const locales = this.localesOf(item, contents);
    const key = locales.join(' ');
    const byControls = translated.get(key) ?? new WeakMap<JsonObject, Promise<Rendering>>();
    translated.set(key, byControls);
    const known = byControls.get(item.controls);
    if (known) return known;
    const texts = locales.map((locale) => contents.get(locale)!);
    const rendering = this.renderer.translate([{ ...item, contents: texts }]).then(([one]) => one!);
    byControls.set(item.controls, rendering);
    // The next item tries again: the reason may have been the load of the machine.
    const forget = (): void => void byControls.delete(item.controls);
    rendering.then(({ ok }) => ok || forget(), forget);
    return rendering;
  }

  /** What templates name, with the keys that have no text in this language. A new workflow has no `resourceId`. */
  async namesIn(
    { resourceId, ...language }: Omit<Language, 'resourceId'> & { resourceId: string | undefined },
    templates: Template[],
  ): Promise<Names[]> {
    const [group] = resourceId === undefined ? [] : await this.groupsOf([{ ...language, resourceId }]);
    const { contents } = group ?? NO_TRANSLATIONS;
    const texts = this.localesOf(language, contents).map((locale) => contents.get(locale)!);
    const chains = [texts.map((_, index) => index)];
    const found = await this.renderer.namesIn(language.environmentId, templates, texts, { chains, together: false });
    // Templates that are too costly to read are too costly to render, which says so.
    if (!found.ok) return templates.map(() => ({ environment: [], missing: [] }));
    return found.result.map(({ environment, missing: [missing] }) => ({ environment, missing: missing! }));
  }

  private localesOf(
    { environmentId, locale }: Omit<Language, 'resourceId'>,
    contents: ReadonlyMap<string, string>,
  ): string[] {
    return localesFor(contents, locale, this.known.get(environmentId)?.defaultLocale);
  }

  /** The translations of each item. */
  private async groupsOf(items: Pick<Language, 'environmentId' | 'resourceId'>[]): Promise<Group[]> {
    const missing = new Map<EnvironmentId, Set<string>>();
    const wanted = items.map(({ environmentId, resourceId }) => {
      const known = this.known.get(environmentId);
      if (known && !known.groups.has(resourceId)) {
        missing.set(environmentId, (missing.get(environmentId) ?? new Set()).add(resourceId));
      }
      return { known, resourceId };
    });
    const read = await Promise.all([...missing].map(([environmentId, ids]) => this.readGroups(environmentId, ids)));
    const groups = new Map(read.flatMap((found) => [...found]));
    return wanted.map(
      ({ known, resourceId }) => groups.get(resourceId) ?? known?.groups.get(resourceId) ?? NO_TRANSLATIONS,
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
      const contents = new Map<string, string>();
      let characters = 0;
      for (const { locale, content } of rows.filter((row) => translatedRowId(row) === id)) {
        const json = JSON.stringify(content);
        contents.set(locale, json);
        characters += json.length;
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

/** The contents of a database, with an empty cache. */
export function contentsOf({ database, templates, secrets }: Sources): EnvironmentContents {
  const [variables, translations] = [new EnvironmentVariableRepository(database), new TranslationRepository(database)];
  const store: ContentStore = {
    load: (environmentId) => variables.load(environmentId),
    listMany: (environmentId, ids) => translations.listMany(environmentId, ids),
  };
  return new EnvironmentContents(store, templates, secrets);
}
