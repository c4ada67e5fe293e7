import type { EnvironmentContents } from '@clarion/runtime';
import type { ChannelStrategy, Prepared, ReadyStep } from './channel';

/** A channel whose steps are written in the languages of their subscribers, and may send secrets. */
export function localized(strategy: ChannelStrategy, contents: EnvironmentContents): ChannelStrategy {
  return {
    channel: strategy.channel,
    errorId: strategy.errorId,
    ...(strategy.allFailed && { allFailed: strategy.allFailed }),
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
      return strategy.prepare(
        steps.map((ready, index) => {
          const controls = translated[index]!;
          const secrets = contents.secretsOf(ready.item.step.environmentId);
          if (controls === ready.admitted.controls && !secrets) return ready;
          return { ...ready, admitted: { ...ready.admitted, controls }, ...(secrets && { secrets }) };
        }),
      );
    },
  };
}
