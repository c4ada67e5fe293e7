/**
 * SQL for a time in the format of all responses, such as 2026-01-31T12:00:00.000Z. JSON made by Postgres has `+00:00`
 * instead.
 */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
