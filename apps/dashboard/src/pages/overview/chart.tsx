import { useEffect, useRef, useSyncExternalStore } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../../shell/theme';
import { useStore } from '../../ui/store';
import { formatNumber } from '../../ui/time';
import type { Channel } from './channels';

const HEIGHT = 180;
const dark = matchMedia('(prefers-color-scheme: dark)');

function useSystemTheme(): boolean {
  return useSyncExternalStore(
    (listener) => {
      dark.addEventListener('change', listener);
      return () => dark.removeEventListener('change', listener);
    },
    () => dark.matches,
  );
}

type ChartProps = { times: number[]; values: number[][]; channels: Channel[] };

/** Lines over time. The canvas has no text for screen readers; a table beside it has. */
export default function Chart({ times, values, channels }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(undefined);
  const colours = `${useStore(theme)} ${useSystemTheme()}`;
  const names = channels.join();

  useEffect(() => {
    const frame = place.current!;
    const width = (): number => Math.max(frame.clientWidth, 1);
    const made = new UPlot(optionsOf(frame, names === '' ? [] : (names.split(',') as Channel[]), width()), [[]], frame);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: width(), height: HEIGHT }));
    resized.observe(frame);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [names, colours]);

  useEffect(() => {
    // uPlot draws lines with ascending times; a single one has no line.
    chart.current?.setData([times, ...values]);
  }, [times, values, colours]);

  return <div ref={place} />;
}

function optionsOf(frame: HTMLElement, channels: Channel[], width: number): UPlot.Options {
  const style = getComputedStyle(frame);
  const colour = (name: string): string => resolve(frame, style.getPropertyValue(name));
  const axis = { stroke: colour('--text-quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } },
    axes: [
      axis,
      {
        ...axis,
        size: 56,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 5e5, 1e6],
        values: (_, ticks) => ticks.map(formatNumber),
      },
    ],
    series: [
      {},
      ...channels.map((channel) => ({
        label: channel,
        stroke: colour(`--channel-${channel}`),
        width: 2,
        points: { show: false },
        paths: UPlot.paths.stepped!({ align: 1 }),
      })),
    ],
  };
}

/** The canvas does not know light-dark(): the browser resolves it for an element. */
function resolve(frame: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  frame.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
