// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/endpoints/form_section.h"

class QPushButton;
class QVBoxLayout;

namespace sg::ui {

class BreakerForm;

/// What its tokens cost, and what the price book says of its model.
class PriceSection : public FormSection
{
    Q_OBJECT
public:
    PriceSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    using Rate = std::optional<cost::NanoDollars> cost::Rates::*;
    QuantityField* addRate(const QString& caption, const QString& key, Rate rate);
    const cost::PriceEntry* bookEntry() const;
    void takeFromBook();

    struct RateField
    {
        QuantityField* field;
        Rate rate;
    };
    std::vector<RateField> rates_;
    QLabel* book_ = nullptr;
    QPushButton* take_ = nullptr;
};

class CapabilitiesSection : public FormSection
{
    Q_OBJECT
public:
    CapabilitiesSection(ThemeContext& context, EndpointEditor& editor);
};

/// Own limits, and with whom it shares those of the provider.
class LimitsSection : public FormSection
{
    Q_OBJECT
public:
    LimitsSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    QuantityField* addPerMinute(const QString& caption, const QString& key, double high, double step,
                                Value chain::EndpointSpec::*member);
    QuantityField* addInFlight();
    ChoiceField* addShared(const QString& caption, const QString& key, std::string chain::EndpointSpec::*member);

    ChoiceField *quota_ = nullptr, *credential_ = nullptr;
    QLabel *quotaNote_ = nullptr, *credentialNote_ = nullptr;
};

class TimeoutsSection : public FormSection
{
    Q_OBJECT
public:
    TimeoutsSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    QuantityField* addSpan(const QString& caption, const QString& key, bool isOptional,
                           std::function<std::optional<Nanos>(const Endpoint&)> read,
                           std::function<void(Endpoint&, std::optional<Nanos>)> write);
    QLabel* note_ = nullptr;
};

/// A policy of the library, or rules of its own.
class BreakerSection : public FormSection
{
    Q_OBJECT
public:
    BreakerSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    BreakerForm* form_;
    QLabel* rules_;
};

/// How its provider is reached.
class NetworkSection : public FormSection
{
    Q_OBJECT
public:
    NetworkSection(ThemeContext& context, EndpointEditor& editor);

    /// Asks for a PEM file; empty = none. Tests put their own.
    std::function<QString(QWidget*)> askCaFile;
    void showEndpoint(const Endpoint& endpoint) override;

private:
    void chooseCaFile();
    void makeVersion();

    ChoiceField* version_ = nullptr;
    QLabel* versionNote_ = nullptr;
};

/// What the checks say of this endpoint, each with what mends it.
class FindingsSection : public FormSection
{
    Q_OBJECT
public:
    FindingsSection(ThemeContext& context, EndpointEditor& editor);
    void showEndpoint(const workspace::Endpoint& endpoint) override;

private:
    QWidget* makeCard(const workspace::Finding& finding);

    QVBoxLayout* list_;
    workspace::Findings shown_;
};

} // namespace sg::ui
