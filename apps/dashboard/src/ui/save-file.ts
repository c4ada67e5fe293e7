/** The browser writes what an address answers to the disk as it arrives. */
export function saveFile(name: string, data: Blob | string): void {
  const address = typeof data === 'string' ? data : URL.createObjectURL(data);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  if (address !== data) URL.revokeObjectURL(address);
}

export const jsonFile = (value: unknown): Blob =>
  new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' });
