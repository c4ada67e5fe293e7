import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { shortcuts } from '../ui/shortcuts';
import { useStore } from '../ui/store';
import { Table } from '../ui/table';

export default function ShortcutsHelp({ onClose }: { onClose(): void }) {
  const known = useStore(shortcuts);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
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
