import { CHANNEL_NAMES } from '../../api/channels';
import { Facts } from '../../ui/page';
import { plural } from '../../ui/time';
import type { Provider } from './data';

const SOURCES = {
  official: 'The documentation, specification or SDK of the provider',
  'third-party': 'Working code or pages of third parties',
  reported: 'The adapter of another project: test it before you rely on it',
} as const;

export function ProviderFacts({ provider }: { provider: Provider }) {
  const { id, channel, displayName, batchSize, duplicateDetection, check, deliveryEvents, evidence, builtIn } =
    provider;
  return (
    <Facts
      facts={{
        Provider: (
          <>
            {displayName} <code>{id}</code>
          </>
        ),
        Channel: CHANNEL_NAMES[channel],
        'One call': builtIn ? undefined : `At most ${plural(batchSize, 'message')}`,
        'Duplicate detection': builtIn
          ? undefined
          : (duplicateDetection ?? 'None: a repeated message can arrive twice'),
        Check: check ? 'Asks the provider' : builtIn ? undefined : 'Only whether the fields are complete',
        'Delivery events': deliveryEvents?.proof ?? (builtIn ? undefined : 'Not reported by this provider'),
        'Source of the format': builtIn ? undefined : SOURCES[evidence],
      }}
    />
  );
}
