const TENTHS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** `11.4 %`. A part that is not nothing and not all is never written as 0 % or 100 %. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.05) return `< ${TENTHS.format(0.1)}\u00a0%`;
  if (percent < 100 && percent >= 99.95) return `> ${TENTHS.format(99.9)}\u00a0%`;
  return `${TENTHS.format(percent)}\u00a0%`;
}
