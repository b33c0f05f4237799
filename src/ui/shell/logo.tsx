// The mark: a dunnock, as in the favicon, in the colours of the page.
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden
      focusable="false"
      style={{ flex: 'none' }}
    >
      <rect width="32" height="32" rx="8" fill="#2b5a80" />
      <g transform="translate(1.2 .6)">
        <path
          d="M5.2 11.6 9 10.1C9.9 7.9 12 6.5 14.4 6.6c2.5.1 4.5 1.5 5.5 3.6.7 1.4 2 2.3 3.5 2.9l3.9 1.6-3.5.9C22.6 20.5 18.6 24 13.9 24c-4 0-6.7-2.7-6.7-6.4 0-1.6.5-3 1.2-4.3z"
          fill="#fff"
        />
        <path
          d="M14.2 14.2c2.6-.4 5.3.6 6.8 2.5-1.4 2.3-3.8 3.7-6.3 3.5-1.9-.2-3-1.5-2.9-3.2.1-1.4 1-2.5 2.4-2.8z"
          fill="#c98a5c"
        />
        <circle cx="12.2" cy="10.7" r="1.1" fill="#2b5a80" />
        <path d="M12.3 24v2.6M15.4 23.9v2.7" stroke="#fff" strokeWidth="1.3" strokeLinecap="round" />
      </g>
    </svg>
  );
}
