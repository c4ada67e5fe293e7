import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { Button, CodeBlock } from '../../ui/button';
import { Dialog, TypedConfirm } from '../../ui/dialog';
import { Alert, Facts, messageOf, Section } from '../../ui/page';
import { jsonFile, saveFile } from '../../ui/save-file';
import { Time } from '../../ui/time';

type Receipt = Schemas['ErasureReceiptDto'];

async function exportAll(subscriberId: string): Promise<Schemas['SubscriberExportDto'][]> {
  const pages: Schemas['SubscriberExportDto'][] = [];
  for (let after: string | undefined; ;) {
    const params = { path: { subscriberId }, query: { after } };
    const page = await unwrap(api.POST('/v2/subscribers/{subscriberId}/export', { params }));
    pages.push(page);
    if (page.next === null) return pages;
    after = page.next;
  }
}

export function Privacy({ subscriberId }: { subscriberId: string }) {
  const [isErasing, setErasing] = useState(false);
  const save = useMutation({
    mutationFn: () => exportAll(subscriberId),
    onSuccess: (pages) => saveFile(`${subscriberId}.json`, jsonFile(pages)),
  });
  const truncated = save.data?.flatMap((page) => page.truncated) ?? [];
  return (
    <Section
      title="Privacy"
      actions={
        <>
          <Button isBusy={save.isPending} onClick={() => save.mutate()}>
            Export data
          </Button>
          <Button kind="danger" onClick={() => setErasing(true)}>
            Erase
          </Button>
        </>
      }
    >
      <p>
        The export is a JSON file with everything that is stored about the subscriber in this environment. An erasure
        deletes it and leaves a receipt without personal data.
      </p>
      {save.error && <Alert tone="bad">{messageOf(save.error)}</Alert>}
      {truncated.length > 0 && (
        <Alert tone="warn">The file has not all rows of: {truncated.join(', ')}. See docs/privacy.md.</Alert>
      )}
      {isErasing && <EraseDialog subscriberId={subscriberId} onClose={() => setErasing(false)} />}
    </Section>
  );
}

function EraseDialog({ subscriberId, onClose }: { subscriberId: string; onClose(): void }) {
  const [receipt, setReceipt] = useState<Receipt>();
  if (receipt) return <ReceiptDialog receipt={receipt} subscriberId={subscriberId} />;
  return (
    <TypedConfirm
      title={`Erase ${subscriberId}?`}
      action="Erase"
      typed={subscriberId}
      run={() => unwrap(api.POST('/v2/subscribers/{subscriberId}/erase', { params: { path: { subscriberId } } }))}
      then={setReceipt}
      onClose={onClose}
    >
      <p>
        The profile, messages, preferences, topics, endpoints and suppressions are deleted, open steps are canceled, and
        the history loses what names the person. This cannot be undone. A later event that names the subscriber creates
        it again, so stop such events first.
      </p>
    </TypedConfirm>
  );
}

/** The receipt is shown until the reader leaves, because the page of the subscriber is gone. */
function ReceiptDialog({ receipt, subscriberId }: { receipt: Receipt; subscriberId: string }) {
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    await navigate({ to: '/subscribers' });
    queries.removeQueries({ queryKey: ['subscriber', subscriberId] });
    await queries.invalidateQueries({ queryKey: ['subscribers'] });
  };
  return (
    <Dialog
      title="The subscriber is erased"
      onClose={() => void leave()}
      footer={
        <>
          <Button onClick={() => saveFile(`erasure-${receipt.id}.json`, jsonFile(receipt))}>Save the receipt</Button>
          <Button kind="primary" onClick={() => void leave()}>
            Done
          </Button>
        </>
      }
    >
      <p>Keep this receipt. The audit log has it too, under its id.</p>
      <Facts
        facts={{
          Receipt: <code>{receipt.id}</code>,
          Time: <Time at={receipt.erasedAt} />,
          'Hash of the id': <code>{receipt.subscriberIdHash}</code>,
        }}
      />
      <CodeBlock label="Deleted and cleared rows" text={JSON.stringify(receipt.counts, null, 2)} />
    </Dialog>
  );
}
