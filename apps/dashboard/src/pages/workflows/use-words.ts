import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Choices, choicesOf } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import type { CodeWords } from '../../ui/code-mirror';
import { objectOf } from '../../ui/typed';
import { environmentQuery, masterQuery } from '../translations/data';
import { keysIn } from '../translations/keys';
import { labelOf } from './blocks/labels';
import type { DraftStep } from './draft';
import type { Editing } from './editing';
import { samplePayload } from './sample';
import { wordsFor } from './words';

/** The names that the templates of a step can use, with the translations and the variables of the environment. */
export function useWords({ base, draft, types, canWrite, sample }: Editing, earlier: readonly DraftStep[]): CodeWords {
  const environment = useQuery(environmentQuery());
  const locale = environment.data?.defaultLocale ?? '';
  const texts = useQuery({ ...masterQuery(locale), enabled: canWrite && locale !== '', retry: false });
  const values = useQuery({
    queryKey: ['variables'],
    queryFn: () => unwrap(api.GET('/v1/environment-variables')),
    enabled: canWrite,
    retry: false,
  });
  const { payloadSchema, steps } = draft;
  const earlierIds = earlier.map(({ stepId, type }) => `${stepId ?? ''} ${type}`).join(',');
  return useMemo(() => {
    const examples = [samplePayload(sample), base.payloadExample];
    const { variables, filters } = wordsFor(types, { schema: objectOf(payloadSchema).value, examples, steps }, earlier);
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
  }, [types, payloadSchema, sample, steps, earlierIds, texts.data, values.data, base.workflowId, base.payloadExample]);
}

/** The paths of the words, found by what people call them too. */
export function pathChoices({ variables }: CodeWords, isWanted = (_: string) => true): Choices {
  const names = variables.map(({ name }) => name).filter(isWanted);
  return choicesOf(`paths ${names.join()}`, () =>
    names.map((value) => ({ value, label: `${labelOf(value)} (${value})` })),
  );
}
