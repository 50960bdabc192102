import type { FieldError, UseFormRegisterReturn } from 'react-hook-form'

interface Props {
  readonly label: string
  readonly field: UseFormRegisterReturn
  readonly error: FieldError | undefined
}

/** A text field with its label, and the problem of its text. */
export function Field({ label, field, error }: Props) {
  const { name } = field
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input {...field} id={name} autoComplete="off" spellCheck={false} aria-invalid={!!error} aria-describedby={`${name}-error`} />
      <span id={`${name}-error`} className="problem" aria-live="polite">{error?.message}</span>
    </div>
  )
}
