import type { EnvironmentContents } from '@clarion/runtime';
import type { ChannelStrategy, Prepared, ReadyStep } from './channel';
import { contentFault } from './refusals';

/** A channel whose steps are written in the languages of their subscribers, and may send secrets. */
export function localized(strategy: ChannelStrategy, contents: EnvironmentContents): ChannelStrategy {
  return {
    ...strategy,
    async prepare(steps: ReadyStep[]): Promise<Prepared[]> {
      const translated = await contents.translate(
        steps.map(({ item: { step, workflow }, admitted }) => ({
          environmentId: step.environmentId,
          resourceId: workflow.id,
          isEmail: strategy.channel === 'email',
          controls: admitted.controls,
          locale: step.subscriber!.locale,
        })),
      );
      const sound = steps.flatMap((ready, index): ReadyStep[] => {
        const rendering = translated[index]!;
        if (!rendering.ok) return [];
        const { controls } = rendering;
        const secrets = contents.secretsOf(ready.item.step.environmentId);
        if (controls === ready.admitted.controls && !secrets) return [ready];
        return [{ ...ready, admitted: { ...ready.admitted, controls }, ...(secrets && { secrets }) }];
      });
      const prepared = (sound.length > 0 ? await strategy.prepare(sound) : []).values();
      return translated.map((rendering) => (rendering.ok ? prepared.next().value! : contentFault(rendering.fault)));
    },
  };
}
