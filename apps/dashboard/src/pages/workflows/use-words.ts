import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '../../api/client';
import type { CodeWords } from '../../ui/code-mirror';
import { environmentQuery, masterQuery } from '../translations/data';
import { keysIn } from '../translations/keys';
import { type DraftStep, parseSchema } from './draft';
import type { Editing } from './editing';
import { wordsFor } from './words';

/** The names that the templates of a step can use, with the translations and the variables of the environment. */
export function useWords({ base, draft, types, canWrite }: Editing, earlier: readonly DraftStep[]): CodeWords {
  const environment = useQuery(environmentQuery());
  const locale = environment.data?.defaultLocale ?? '';
  const texts = useQuery({ ...masterQuery(locale), enabled: canWrite && locale !== '', retry: false });
  const values = useQuery({
    queryKey: ['variables'],
    queryFn: () => unwrap(api.GET('/v1/environment-variables')),
    enabled: canWrite,
    retry: false,
  });
  const { payloadSchema } = draft;
  const earlierIds = earlier.map(({ stepId, type }) => `${stepId ?? ''} ${type}`).join(',');
  return useMemo(() => {
    const parsed = parseSchema(payloadSchema);
    const { variables, filters } = wordsFor(types, 'value' in parsed ? parsed.value : null, earlier);
    const own = keysIn(texts.data?.workflows[base.workflowId]).map(([key, text]) => ({
      name: `t.${key}`,
      description: text,
      example: `{{ t.${key} }}`,
    }));
    const named = (values.data ?? []).map(({ key }) => ({
      name: `env.${key}`,
      description: 'A variable of the environment.',
      example: `{{ env.${key} }}`,
    }));
    return { variables: [...variables, ...own, ...named], filters };
    // The earlier steps are compared by their ids and types.
  }, [types, payloadSchema, earlierIds, texts.data, values.data, base.workflowId]);
}
