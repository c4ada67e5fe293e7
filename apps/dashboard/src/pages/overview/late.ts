const LONG_LAG_SECONDS = 60;

/** The oldest due step has waited for long. */
export const isLate = ({ lagSeconds }: { lagSeconds: number }): boolean => lagSeconds > LONG_LAG_SECONDS;
