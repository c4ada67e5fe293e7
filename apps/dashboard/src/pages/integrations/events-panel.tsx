import { Badge } from '../../ui/status';
import { CodeBlock } from '../../ui/button';
import type { Integration, Provider } from './data';

type EventsPanelProps = { provider: Provider; integration: Integration; environmentId: string };

export function EventsPanel({ provider, integration, environmentId }: EventsPanelProps) {
  const { deliveryEvents, displayName } = provider;
  if (!deliveryEvents) {
    return <p>{displayName} does not report whether a message was delivered, or Clarion does not read its reports.</p>;
  }
  const { baseUrl, path, help, proof } = deliveryEvents;
  const address = `${baseUrl ?? window.location.origin}${path}`
    .replace('{environmentId}', environmentId)
    .replace('{integrationId}', integration._id)
    .replace('{inboundWebhookSigningKey}', '<signing key>');
  const isOn = integration.configurations?.inboundWebhookEnabled === true;
  return (
    <>
      <div>
        <Badge tone={isOn ? 'good' : 'calm'}>{isOn ? 'Accepted' : 'Switched off'}</Badge>
      </div>
      <h3>Address</h3>
      <CodeBlock text={address} label="Delivery-event address" />
      {!baseUrl && (
        <p>
          The provider must reach this address from the internet. Set <code>CLARION_PUBLIC_URL</code> to the public
          address of this installation.
        </p>
      )}
      <h3>Set it up</h3>
      <ol className="bullets">
        {help.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="quiet">Proof of origin: {proof}.</p>
    </>
  );
}
