/** A time in the format of all responses. JSON made by Postgres has `+00:00` instead of `Z`. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
