import { useState } from 'react';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { shortcuts, useShortcut } from '../ui/shortcuts';
import { useStore } from '../ui/store';
import { Table } from '../ui/table';

/** The list of shortcuts that `?` shows. */
export function ShortcutsHelp() {
  const [isOpen, setOpen] = useState(false);
  useShortcut('?', 'Show the shortcuts', () => setOpen(true));
  const known = useStore(shortcuts);
  if (!isOpen) return null;
  const close = (): void => setOpen(false);
  return (
    <Dialog title="Keyboard shortcuts" onClose={close} footer={<Button onClick={close}>Close</Button>}>
      <Table
        label="Shortcuts"
        rows={known.toSorted((one, other) => (one.keys < other.keys ? -1 : 1))}
        rowKey={({ keys, does }) => keys + does}
        columns={[
          { name: 'Key', cell: ({ keys }) => <kbd>{keys.replace('Mod+', 'Ctrl or ⌘ + ')}</kbd> },
          { name: 'What it does', cell: ({ does }) => does },
        ]}
      />
    </Dialog>
  );
}
