import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/** Handles of this process, which Node lists for diagnosis only. */
const handles = (): unknown[] => (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();

/** What a worker keeps open for its next spec file does not keep the worker alive after the last one. */
export async function unrefHandles(): Promise<void> {
  for (const handle of handles()) {
    if (handle instanceof Socket || handle instanceof Server || handle instanceof ChildProcess) handle.unref();
  }
}
