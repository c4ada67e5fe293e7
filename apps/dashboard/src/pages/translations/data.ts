import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';

export type Group = Schemas['TranslationGroupDto'];
export type Resource = { resourceType: Group['resourceType']; resourceId: string };

/** The environment has the default locale. */
export const environmentQuery = () =>
  queryOptions({
    queryKey: ['environments', 'current'],
    queryFn: () => unwrap(api.GET('/v1/environments/me')),
  });

export const masterQuery = (locale: string) =>
  queryOptions({
    queryKey: ['translations', 'master', locale],
    queryFn: () => unwrap(api.GET('/v2/translations/master-json', { params: { query: { locale } } })),
  });

export type Translation = Schemas['NamedTranslationDto'];

export const allTranslationsQuery = () =>
  queryOptions({
    queryKey: ['translations', 'all'],
    queryFn: async ({ signal }) => {
      const all: Translation[] = [];
      let after: string | undefined;
      do {
        const page = await unwrap(api.GET('/v2/translations', { signal, params: { query: { after } } }));
        all.push(...page.data);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return all;
    },
  });

export const groupQuery = (path: Resource) =>
  queryOptions({
    queryKey: ['translations', 'group', path],
    queryFn: () => unwrap(api.GET('/v2/translations/group/{resourceType}/{resourceId}', { params: { path } })),
  });

export type Texts = Resource & { locale: string };

export const readTexts = (path: Texts) =>
  unwrap(api.GET('/v2/translations/{resourceType}/{resourceId}/{locale}', { params: { path } }));

export const textsQuery = (path: Texts) =>
  queryOptions({
    queryKey: ['translations', 'texts', path],
    queryFn: () => readTexts(path),
    // The editor keeps what was typed.
    staleTime: Infinity,
  });

export const reloadTranslations = (): Promise<void> => queries.invalidateQueries({ queryKey: ['translations'] });
