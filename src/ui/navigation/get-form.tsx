import type { ComponentProps, SubmitEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * A form whose fields make the query of a page of the site, of this one without `action`. Without scripts the browser asks for that page;
 * with them it is shown without loading the document.
 */
export function GetForm(props: Omit<ComponentProps<'form'>, 'method' | 'onSubmit'>) {
  const navigate = useNavigate();
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    // An element around the form may have refused it.
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { pathname, hash } = new URL(event.currentTarget.action);
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) {
      if (typeof value === 'string') query.append(name, value);
    }
    void navigate({ pathname, search: `?${query}`, hash });
  };
  return <form {...props} onSubmit={onSubmit} />;
}
