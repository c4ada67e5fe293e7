/** What the work gives, or the other value when it takes longer; the work itself goes on. */
export async function withinTime<T, L = undefined>(milliseconds: number, work: Promise<T>, late?: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late as L), milliseconds);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
