import { useState } from 'react'
import { Button, SafeAreaView, ScrollView, StyleSheet, Text, TextInput } from 'react-native'
import { ask, compose, judge, type Fields, type Judged } from './transfer'

const SERVICE = 'https://wallet.example'
const [TOKEN, JOB] = ['demo-token', '3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43']
const LABELS: Record<keyof Fields, string> = { recipient: 'To', collection: 'Collection', nft: 'NFT' }
const PLACES: Record<keyof Fields, string> = { recipient: 'recipientWalletAddress', collection: 'collectionAddress', nft: 'nftId' }

/** One screen: the form, and what would be signed. */
export function App() {
  const [fields, setFields] = useState<Fields>({ recipient: '', collection: '', nft: '' })
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [judged, setJudged] = useState<Judged>()

  const submit = async () => {
    const composed = compose(JOB, fields)
    setProblems(composed.ok ? new Map() : composed.problems)
    setJudged(composed.ok ? judge(composed.request, await ask(SERVICE, TOKEN, composed.request)) : undefined)
  }

  return (
    <SafeAreaView style={styles.page}>
      <ScrollView keyboardShouldPersistTaps="handled">
        {(Object.keys(LABELS) as (keyof Fields)[]).map((field) => (
          <Field
            key={field}
            label={LABELS[field]}
            value={fields[field]}
            problem={problems.get(PLACES[field])}
            onChange={(text) => setFields({ ...fields, [field]: text })}
          />
        ))}
        <Button title="Continue" onPress={submit} />
        {judged && <Review judged={judged} />}
      </ScrollView>
    </SafeAreaView>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}

function Field({ label, value, problem, onChange }: FieldProps) {
  return (
    <>
      <Text>{label}</Text>
      <TextInput accessibilityLabel={label} style={styles.input} value={value} autoCapitalize="none" onChangeText={onChange} />
      {problem !== undefined && <Text accessibilityRole="alert">{problem}</Text>}
    </>
  )
}

/** The effects of the signature, as the core describes them; or why there is nothing to sign. */
function Review({ judged }: { readonly judged: Judged }) {
  if (!judged.ok) return judged.reasons.map((reason) => <Text key={reason}>Do not sign. {reason}</Text>)
  const { account, hash } = judged.signable
  // A wallet signs `hash` here: `signMessage({ message: { raw: hash } })` of viem, or the phone's own keys.
  return [...account.call.sentences, account.operation.sentence, hash].map((line) => <Text key={line}>{line}</Text>)
}

const styles = StyleSheet.create({ page: { flex: 1, margin: 16 }, input: { borderWidth: 1, marginBottom: 8, padding: 8 } })
