import {
  EnvironmentCache,
  type EnvironmentId,
  type JsonObject,
  localeChain,
  mapInSlices,
  memoryOf,
  SECRET_MASK,
} from '@clarion/contracts/core';
import { readsTranslations, type Rendering, type Template, type TemplateRenderer } from '@clarion/content';
import {
  type ClaimedStep,
  type Database,
  EnvironmentVariableRepository,
  type Surroundings,
  type SurroundingsRepository,
  type TranslatedContent,
  TranslationRepository,
} from '@clarion/persistence';
import { openVariable, type SecretBox } from '@clarion/platform';

export type ContentStore = Pick<EnvironmentVariableRepository, 'load'> & Pick<TranslationRepository, 'contents'>;

/** The language of one subscriber in a workflow or a layout, by the id of its row. */
type Language = { environmentId: EnvironmentId; resourceId: string; locale: string | null | undefined };

/** Templates of a workflow or a layout, to be written in the language of one subscriber. */
export type TranslatedItem = Language & Template;

/** What one template names: variables of the environment, and keys without a text. */
type Names = { environment: string[]; missing: string[] };

type Sources = { database: Database; templates: TemplateRenderer; secrets?: SecretBox };

type Stamped = { environmentId: EnvironmentId; contentStamp: string | null };

/** The locales that give the texts of one subscriber, the best first, and their contents as JSON, as of a stamp. */
type Texts = { stamp: string; locales: string[]; contents: string[] };

type Known = {
  stamp: string;
  defaultLocale: string;
  variables: Record<string, string>;
  secrets?: Record<string, string>;
};

const MAX_ENVIRONMENTS = 1_000;
/** Of all contents in memory, and of all translated controls. */
const MAX_BYTES = 16 * 1024 * 1024;
/** What an entry counts as beside its content: subscribers can have any number of locales. */
const ENTRY_BYTES = 200;

/**
 * Caches the variables and translations of environments. Every claimed step carries a stamp that changes with them, so
 * that a change applies from the next step on and no query is needed in between. Translations are written into the
 * controls once for each version of a workflow and each locale, in a render process. An environment without a stamp has
 * neither.
 */
export class EnvironmentContents {
  private readonly known = new Map<EnvironmentId, Known>();
  /** The JSON of the content in each locale that was asked for. The stamp in a key leaves out what has changed. */
  private readonly contents = new EnvironmentCache<{ json: string | undefined }>(MAX_BYTES, this.organizationOf);
  /** Controls by the locales that give their texts. */
  private readonly translations = new EnvironmentCache<Promise<Rendering>>(MAX_BYTES, this.organizationOf);
  private readonly numbers = new WeakMap<JsonObject, number>();
  private lastNumber = 0;

  constructor(
    private readonly store: ContentStore,
    private readonly renderer: Pick<TemplateRenderer, 'translate' | 'namesIn'>,
    /** Absent where no message is sent: secrets then stay closed. */
    private readonly secrets?: SecretBox,
    private readonly organizationOf?: (environmentId: string) => string,
  ) {}

  /** Of the cached contents and translated controls. */
  get bytes(): number {
    return this.contents.size + this.translations.size;
  }

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

  /** Or the fault of the control that gets too long. Items of one version and locale share the result. */
  async translate(items: TranslatedItem[]): Promise<Rendering[]> {
    // The controls of each version are searched once, in a batch perhaps those of many large ones.
    const reads = await mapInSlices(items, ({ controls }) => readsTranslations(controls));
    const texts = (await this.textsOf(items.filter((_, index) => reads[index]))).values();
    return Promise.all(
      items.map(async (item, index): Promise<Rendering> =>
        reads[index] ? await this.translated(item, texts.next().value!) : { ok: true, controls: item.controls },
      ),
    );
  }

  private translated(item: TranslatedItem, { stamp, locales, contents }: Texts): Promise<Rendering> {
    const { environmentId, resourceId, controls } = item;
    const key = keyOf(stamp, resourceId, this.numberOf(controls), ...locales);
    const known = this.translations.get(environmentId, key);
    if (known) return known;
    const rendering = this.renderer.translate([{ ...item, contents }]).then(([one]) => one!);
    this.translations.set(environmentId, key, rendering, ENTRY_BYTES);
    // The next item tries again after a fault: the reason may have been the load of the machine.
    const forget = (): void => this.translations.remove(environmentId, key);
    rendering.then((one) => {
      if (!one.ok) return forget();
      const own = one.controls === controls ? 0 : memoryOf(one.controls);
      this.translations.set(environmentId, key, rendering, ENTRY_BYTES + own);
    }, forget);
    return rendering;
  }

  /** Control values of a version never change. */
  private numberOf(controls: JsonObject): number {
    let number = this.numbers.get(controls);
    if (number === undefined) this.numbers.set(controls, (number = this.lastNumber += 1));
    return number;
  }

  /** What templates name, with the keys that have no text in this language. A new workflow has no `resourceId`. */
  async namesIn(
    { resourceId, ...language }: Omit<Language, 'resourceId'> & { resourceId: string | undefined },
    templates: Template[],
  ): Promise<Names[]> {
    const [texts] = resourceId === undefined ? [] : await this.textsOf([{ ...language, resourceId }]);
    const contents = texts?.contents ?? [];
    const chains = [contents.map((_, index) => index)];
    const found = await this.renderer.namesIn(language.environmentId, templates, contents, { chains, together: false });
    // Templates that are too costly to read are too costly to render, which says so.
    if (!found.ok) return templates.map(() => ({ environment: [], missing: [] }));
    return found.result.map(({ environment, missing: [missing] }) => ({ environment, missing: missing! }));
  }

  /** Only locales that a subscriber can read are loaded: a workflow may have 6 MB of others. */
  private async textsOf(items: Language[]): Promise<Texts[]> {
    const found = new Map<string, string | undefined>();
    const missing = new Map<EnvironmentId, TranslatedContent[]>();
    const wanted = items.map(({ environmentId, resourceId: id, locale }) => {
      const known = this.known.get(environmentId);
      const chain = known ? localeChain(locale, known.defaultLocale) : [];
      for (const one of chain) {
        const key = keyOf(id, one);
        if (found.has(key)) continue;
        const cached = this.contents.get(environmentId, keyOf(known!.stamp, key));
        found.set(key, cached?.json);
        if (cached) continue;
        missing.set(environmentId, [...(missing.get(environmentId) ?? []), { id, locale: one }]);
      }
      return { stamp: known?.stamp ?? '', id, chain };
    });
    await Promise.all(
      [...missing].map(async ([environmentId, names]) => {
        const { stamp } = this.known.get(environmentId)!;
        for (const { id, locale, json } of await this.store.contents(environmentId, names)) {
          found.set(keyOf(id, locale), json);
        }
        for (const { id, locale } of names) {
          const json = found.get(keyOf(id, locale));
          const bytes = ENTRY_BYTES + (json?.length ?? 0);
          this.contents.set(environmentId, keyOf(stamp, id, locale), { json }, bytes);
        }
      }),
    );
    return wanted.map(({ stamp, id, chain }) => {
      const locales = chain.filter((locale) => found.get(keyOf(id, locale)) !== undefined);
      return { stamp, locales, contents: locales.map((locale) => found.get(keyOf(id, locale))!) };
    });
  }

  private async read(environmentId: EnvironmentId, stamp: string | null): Promise<void> {
    const loaded = stamp === null ? undefined : await this.store.load(environmentId);
    this.known.delete(environmentId);
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
    while (this.known.size >= MAX_ENVIRONMENTS) this.known.delete(this.known.keys().next().value!);
    this.known.set(environmentId, {
      stamp: stamp!,
      defaultLocale,
      variables,
      ...(Object.keys(secrets).length > 0 && { secrets }),
    });
  }
}

const keyOf = (...parts: (string | number)[]): string => parts.join(' ');

/** The contents of a database, with an empty cache. */
export function contentsOf({ database, templates, secrets }: Sources): EnvironmentContents {
  const [variables, translations] = [new EnvironmentVariableRepository(database), new TranslationRepository(database)];
  const store: ContentStore = {
    load: (environmentId) => variables.load(environmentId),
    contents: (environmentId, wanted) => translations.contents(environmentId, wanted),
  };
  const organizationOf = (environmentId: string) => database.organizations.of(environmentId as EnvironmentId);
  return new EnvironmentContents(store, templates, secrets, organizationOf);
}
