import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';
import { objectOf } from '../../ui/typed';
import { usePause } from '../../ui/use-pause';
import type { DraftStep, Filter, Values } from './draft';
import { type Person, personQuery } from './queries';
import type { Sample } from './sample';

/** A pause in typing after which the preview is made again. */
const PAUSE_MS = 400;

export type Rule = Schemas['PreviewRuleDto'];

type Asked = { step: Pick<DraftStep, 'values' | 'filters'>; sample: Sample; person?: Person };

/** The step of the draft with the sample, rendered by the code that delivers. `person` is the sample subscriber. */
export function usePreview(workflowId: string, step: DraftStep | undefined, isSaved: boolean, sample: Sample) {
  const { data: person } = useQuery(personQuery(sample.subscriberId));
  const wanted = usePause(
    JSON.stringify({ step: { values: step?.values, filters: completeIn(step?.filters ?? []) }, sample, person }),
    PAUSE_MS,
  );
  const asked = JSON.parse(wanted) as Asked;
  const { value: typed, fault } = objectOf(asked.sample.text ?? '');
  const stepId = (isSaved ? step?._id : step?.stepId) || step?.type || '';
  const preview = useQuery({
    queryKey: ['step-preview', workflowId, stepId, step?.type, wanted],
    queryFn: async ({ signal }) => {
      const { values: controlValues, filters } = asked.step;
      const render = (previewPayload?: Values) =>
        unwrap(
          api.POST('/v2/workflows/{workflowId}/step/{stepId}/preview', {
            params: { path: { workflowId, stepId } },
            body: { ...(!isSaved && { type: step!.type }), controlValues, filters, previewPayload },
            signal,
          }),
        );
      const given = asked.sample.text?.trim() ? typed : undefined;
      const { locale } = asked.sample;
      if (!asked.person && !locale) return render(given);
      // A person stands in the place of the one of the example, and the other values stay.
      const values = given ?? ((await render()).previewPayloadExample as Values);
      const subscriber = { ...(values['subscriber'] as Values), ...asked.person, ...(locale && { locale }) };
      return render({ ...values, subscriber });
    },
    enabled: step !== undefined && fault === undefined,
    placeholderData: keepPreviousData,
  });
  return { preview, person, fault };
}

/** A comparison without a path is not written yet. */
export const isComplete = ({ field }: Filter['children'][number]): boolean => field !== '';

const completeIn = (filters: readonly Filter[]): Filter[] =>
  filters.map((group) => ({ ...group, children: group.children.filter(isComplete) }));
