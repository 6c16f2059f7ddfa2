import type { ReactElement } from 'react';
import type { Channel } from '../ports.ts';

const WechatPayMark = () => (
  <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <rect width="24" height="24" rx="5" fill="#07c160" />
    <path
      fill="#fff"
      d="M10.200 5C6.800 5 4 7.200 4 10c0 1.600.9 3 2.300 3.900l-.6 1.800 2.100-1.100c.7.200 1.500.3 2.300.3h.4a4.300 4.300 0 0 1-.1-1c0-2.600 2.500-4.600 5.500-4.600h.5C15.800 6.800 13.300 5 10.200 5z"
    />
    <path
      fill="#fff"
      d="M20 14c0-2.300-2.200-4-4.800-4s-4.800 1.700-4.800 4 2.200 4 4.800 4c.6 0 1.200-.1 1.700-.2l1.600.9-.4-1.500c1.200-.7 1.900-1.900 1.900-3.200z"
    />
  </svg>
);

const AlipayMark = () => (
  <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <rect width="24" height="24" rx="5" fill="#1677ff" />
    <path
      fill="none"
      stroke="#fff"
      strokeWidth="1.700"
      strokeLinecap="round"
      d="M6 7.500h12M12 5v5.500M7 10.500h9.500c-.8 3.600-4.500 7.500-8 7.500-3.700 0-4.200-3.400-1.500-4 3.500-.7 7 1.500 12 3.500"
    />
  </svg>
);

const MARKS: Record<Channel, () => ReactElement> = { wechat: WechatPayMark, alipay: AlipayMark };

/** The mark of a provider in its colours, beside its name. Decorative. */
export function ChannelMark({ channel }: { channel: Channel }) {
  const Mark = MARKS[channel];
  return <Mark />;
}
